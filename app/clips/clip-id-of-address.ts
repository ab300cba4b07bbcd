/**
 * The clip number of an address.
 * @throws Response 404 for what is no whole number, as for a clip that does not exist
 */
export function clipIdFromParams(params: { clipId?: string }): number {
  const text = params.clipId ?? "";
  const id = /^\d{1,16}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new Response("The requested CS2 clip could not be found", { status: 404 });
  return id;
}
