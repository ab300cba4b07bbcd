/**
 * The second that an address asks for: `t=90`, `t=90s`, `t=1m30s`, `t=1:30`.
 * @returns 0 for what is none, and for a start at or after the end
 */
export function startTime(text: string | null, durationSeconds: number | null): number {
  const parts = /^(?:(\d{1,3})(?:m|:(?=\d)))?(\d{1,5}(?:\.\d{1,20})?)?s?$/.exec(text ?? "");
  if (!parts || (parts[1] === undefined && parts[2] === undefined)) return 0;
  const seconds = hundredths(Number(parts[1] ?? 0) * 60 + Number(parts[2] ?? 0));
  return durationSeconds !== null && seconds >= durationSeconds ? 0 : seconds;
}

/** A second as addresses have it: sums of such have digits that nobody wrote. */
export function hundredths(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

/** The address of a file that a player begins at a second of it (media fragments, understood without any script). */
export function fromSecond(url: string, seconds: number): string {
  return seconds > 0 ? `${url}#t=${seconds}` : url;
}
