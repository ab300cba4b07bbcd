/** "40 s", "3 min", "2 h", "5 days". */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const grouped = new Intl.NumberFormat("en-US");

export const countText = (count: number) => grouped.format(count);
