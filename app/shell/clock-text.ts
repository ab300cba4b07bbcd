/** Where something stands in a video or a round, "1:05": as players of videos show it, the second that has begun. */
export function positionText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** How long a video lasts, to the nearest second: of 11.97 s "0:12". */
export function lengthText(seconds: number): string {
  return positionText(seconds + 0.5);
}
