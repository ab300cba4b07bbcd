const daysInYear = 365;

/** A number of days as legal texts name it: "1 day", "30 days", "2 years". */
export function retentionPeriod(days: number): string {
  if (days > 0 && days % daysInYear === 0) return count(days / daysInYear, "year");
  return count(days, "day");
}

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? "" : "s"}`;
