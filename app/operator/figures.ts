/** "40 s", "3 min", "2 h", "5 days". */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const grouped = new Intl.NumberFormat("en-US");

export const countText = (count: number) => grouped.format(count);

/** How many of the two kinds of jobs that an operator gives places to a process takes. @param places by queue */
export function takesText({ import: imports = 0, render: renders = 0 }: Record<string, number>): string {
  return `Takes ${imports} ${imports === 1 ? "import" : "imports"} and ${renders} ${renders === 1 ? "render" : "renders"} at once`;
}
