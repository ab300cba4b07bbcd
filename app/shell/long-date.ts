const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // Cached: creating one costs a hundred times as much as using it.
    formatter = new Intl.DateTimeFormat("en-US", {
      year: "numeric",
      month: "long",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZone,
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/**
 * A moment in en-US long format with hour and minute: "November 21, 2026 at 06:36 AM". Put together from parts, because
 * engines disagree on the characters between them, which would make server and browser text differ.
 * @param iso ISO 8601
 */
export function longDate(iso: string, timeZone: string): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return "";
  const part = Object.fromEntries(
    formatterFor(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const text = `${part.month} ${part.day}, ${part.year} at ${part.hour}:${part.minute} ${part.dayPeriod}`;
  return timeZone === "UTC" ? `${text} UTC` : text;
}
