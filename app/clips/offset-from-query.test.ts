import { expect, test } from "vitest";
import { offsetFromQuery } from "./offset-from-query.ts";

test("an offset of an address that is none is the start", () => {
  for (const query of ["", "offset=-5", "offset=x", "offset=2.5"]) {
    expect(offsetFromQuery(new URLSearchParams(query))).toBe(0);
  }
  expect(offsetFromQuery(new URLSearchParams("offset=10"))).toBe(10);
});
