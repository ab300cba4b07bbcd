/** A position in a video or a round, "1:05", rounded down as video players do. */
export function positionText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The length of a video, rounded to the nearest second: "0:12" for 11.97 s. */
export function lengthText(seconds: number): string {
  return positionText(seconds + 0.5);
}
