import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAddressWriter } from "./address-writer.ts";

let written: string[];
let refuses: boolean;
let pathname: string;

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  refuses = false;
  pathname = "/matches/7/replay";
  vi.stubGlobal("location", {
    get pathname() {
      return pathname;
    },
  });
  vi.stubGlobal("history", {
    state: null,
    replaceState(_state: unknown, _title: string, address: string) {
      if (refuses) throw new DOMException("too often", "SecurityError");
      written.push(address);
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the first address is written at once, of those that follow the last of every half second", () => {
  const address = createAddressWriter("/matches/7/replay");
  for (let second = 0; second < 200; second++) {
    address.write(`?t=${second}`);
    vi.advanceTimersByTime(20);
  }
  expect(written.length).toBeLessThanOrEqual(9);
  expect(written[0]).toBe("?t=0");
  vi.advanceTimersByTime(500);
  expect(written.at(-1)).toBe("?t=199");
  vi.advanceTimersByTime(5000);
  address.write("?t=7");
  expect(written.at(-1)).toBe("?t=7");
});

test("a browser that refuses an address stops nothing, and the next is written", () => {
  const address = createAddressWriter("/matches/7/replay");
  refuses = true;
  address.write("?t=1");
  refuses = false;
  address.write("?t=2");
  vi.advanceTimersByTime(500);
  expect(written).toEqual(["?t=2"]);
});

test("what is not written when the page is left never is", () => {
  const address = createAddressWriter("/matches/7/replay");
  address.write("?t=1");
  address.write("?t=2");
  address.end();
  vi.advanceTimersByTime(5000);
  expect(written).toEqual(["?t=1"]);
});

test("an address that is another page's already is left alone", () => {
  const address = createAddressWriter("/matches/7/replay");
  address.write("?t=1");
  address.write("?t=2");
  pathname = "/matches/7";
  vi.advanceTimersByTime(500);
  address.write("?t=3");
  vi.advanceTimersByTime(5000);
  expect(written).toEqual(["?t=1"]);
  // Forward again, before the other page has come.
  pathname = "/matches/7/replay";
  address.write("?t=4");
  expect(written).toEqual(["?t=1", "?t=4"]);
});
