/**
 * The clip number of an address.
 * @throws Response 404 for what is no whole number, as for a clip that does not exist
 */
export function clipIdFromParams(params: { clipId?: string }): number {
  const text = params.clipId ?? "";
  if (!/^\d{1,10}$/.test(text)) throw new Response("The requested CS2 clip could not be found", { status: 404 });
  return Number.parseInt(text, 10);
}
