import { timeZoneNamed } from "../../contract/time-zone.ts";

/** The visitor's time zone, which their browser keeps in a cookie (decision 084). @returns UTC where there is none, or no such zone */
export function timeZoneOf(request: Request): string {
  const cookie = /(?:^|;\s*)tz=([^;]+)/.exec(request.headers.get("Cookie") ?? "")?.[1];
  return timeZoneNamed(cookie?.replaceAll(/%2F/gi, "/") ?? "UTC") ?? "UTC";
}
