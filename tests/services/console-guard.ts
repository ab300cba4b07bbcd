import { afterEach, expect } from "vitest";
import { takeComplaints } from "./heard-console.ts";

/** The pages' server runs in the test's own process: a test that makes it complain fails. */
afterEach(() => {
  expect(takeComplaints(), "complaints in the server's log").toEqual([]);
});
