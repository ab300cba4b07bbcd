/**
 * What a file of a clip is called where it is saved: the clip's name without what file systems refuse, short enough for all of
 * them, and the format of one that was added.
 * @param extension without the dot
 */
export function clipFileName(clip: { id: number; name: string }, extension: string, format?: string): string {
  const allowed = clip.name.replace(/[<>:"/\\|?*]+/g, "-").replace(/[. ]+$/, "");
  const name = [...allowed].slice(0, 80).join("").trim() || `clip-${clip.id}`;
  return `${name}${format === undefined ? "" : ` (${format})`}.${extension}`;
}
