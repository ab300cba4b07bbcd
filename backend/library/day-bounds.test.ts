import { expect, test } from "vitest";
import { dayBounds } from "./day-bounds.ts";

const of = (day: string, timeZone: string) => {
  const { begin, end } = dayBounds(day, timeZone);
  return [begin.toISOString(), end.toISOString(), (end.getTime() - begin.getTime()) / 3_600_000];
};

test.each([
  ["2026-11-20", "UTC", "2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z", 24],
  ["2026-11-20", "America/New_York", "2026-11-20T05:00:00.000Z", "2026-11-21T05:00:00.000Z", 24],
  ["2026-12-31", "Asia/Tokyo", "2026-12-30T15:00:00.000Z", "2026-12-31T15:00:00.000Z", 24],
  ["2026-02-28", "Asia/Kathmandu", "2026-02-27T18:15:00.000Z", "2026-02-28T18:15:00.000Z", 24],
  ["2026-07-01", "Pacific/Kiritimati", "2026-06-30T10:00:00.000Z", "2026-07-01T10:00:00.000Z", 24],
])("%s in %s is from midnight to midnight there", (day, zone, begin, end, hours) => {
  expect(of(day, zone)).toEqual([begin, end, hours]);
});

test.each([
  // An hour is left out, or comes twice, at night.
  ["2026-03-08", "America/New_York", "2026-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z", 23],
  ["2026-11-01", "America/New_York", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z", 25],
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z", 23],
  // By half an hour.
  ["2026-10-04", "Australia/Lord_Howe", "2026-10-03T13:30:00.000Z", "2026-10-04T13:00:00.000Z", 23.5],
  // At midnight: the day begins at 01:00, or 00:00 comes twice.
  ["2024-04-26", "Africa/Cairo", "2024-04-25T22:00:00.000Z", "2024-04-26T21:00:00.000Z", 23],
  ["2024-11-03", "America/Havana", "2024-11-03T04:00:00.000Z", "2024-11-04T05:00:00.000Z", 25],
  // A day that was never there, on the other side of the date line.
  ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z", "2011-12-30T10:00:00.000Z", 0],
])("%s in %s is as long as its clocks have it", (day, zone, begin, end, hours) => {
  expect(of(day, zone)).toEqual([begin, end, hours]);
});

test("a day ends where the next one begins, in a whole year", () => {
  const days = Array.from({ length: 366 }, (_, index) => new Date(Date.UTC(2026, 0, 1 + index)));
  let before = dayBounds("2025-12-31", "America/Santiago").end;
  for (const day of days) {
    const { begin, end } = dayBounds(day.toISOString().slice(0, 10), "America/Santiago");
    expect(begin).toEqual(before);
    before = end;
  }
});

test("the first and the last days that a field can hold stay within what a database can compare", () => {
  for (const zone of ["America/New_York", "Asia/Tokyo"]) {
    expect(of("0000-01-01", zone).slice(0, 2)).toEqual(["0001-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z"]);
    expect(dayBounds("9999-12-31", zone).end.toISOString()).toMatch(/^9999-12-31T/);
  }
});
