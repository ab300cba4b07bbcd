import { longDate } from "../long-date.ts";
import { useTimeZone } from "../use-time-zone.ts";

/** A date in the visitor's time zone once it is known (a cookie, or the browser), in UTC before. */
export function LocalTime({ iso, className }: { iso: string; className?: string }) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={iso} className={className}>
      {longDate(iso, timeZone)}
    </time>
  );
}
