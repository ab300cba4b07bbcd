const secondsOfDay = 86_400;
/** No zone is further from UTC: 14 hours before it, 12 behind, and days that a zone left out by moving over the date line. */
const farthestSeconds = 2 * secondsOfDay;

/** What both databases read as a date: a year of four digits. */
const [earliest, latest] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59Z")] as const;

/**
 * From the first moment of a day to the first one after it, as the clocks of a zone have it: 24 hours, 23 or 25 where they are changed on that
 * day. By the zones of the JavaScript engine: PGlite brings none.
 * @param day as `2026-11-01`
 * @param timeZone IANA name
 */
export function dayBounds(day: string, timeZone: string): { begin: Date; end: Date } {
  const seconds = Date.parse(`${day}T00:00:00Z`) / 1000;
  const calendar = new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "numeric", day: "numeric" });
  return { begin: firstOfDay(seconds, calendar), end: firstOfDay(seconds + secondsOfDay, calendar) };
}

/**
 * The first moment at which a calendar shows a day or a later one. Looked for instead of worked out: where clocks are changed at midnight
 * there is no 00:00, or there are two.
 * @param midnight of that day in UTC, in seconds
 */
function firstOfDay(midnight: number, calendar: Intl.DateTimeFormat): Date {
  const date = new Date(midnight * 1000);
  const wanted = dateNumber(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  let before = midnight - farthestSeconds;
  let found = midnight + farthestSeconds;
  while (found - before > 1) {
    const middle = Math.floor((before + found) / 2);
    if (shownBy(calendar, middle) >= wanted) found = middle;
    else before = middle;
  }
  return new Date(Math.min(latest, Math.max(earliest, found * 1000)));
}

function shownBy(calendar: Intl.DateTimeFormat, seconds: number): number {
  const parts = calendar.formatToParts(seconds * 1000);
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  return dateNumber(number("year"), number("month"), number("day"));
}

/** Grows from day to day. */
const dateNumber = (year: number, month: number, day: number) => (year * 12 + month) * 31 + day;
