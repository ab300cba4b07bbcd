import { format } from "node:util";
import { afterEach, expect } from "vitest";
import { frameworkComplaint } from "./framework-complaint.ts";

const complaints: string[] = [];

for (const level of ["log", "warn", "error"] as const) {
  const print = console[level].bind(console);
  console[level] = (...parts: unknown[]) => {
    const line = format(...parts);
    if (frameworkComplaint.test(line)) complaints.push(line);
    print(...parts);
  };
}
process.on("warning", (warning) => complaints.push(String(warning)));

/** The pages' server runs in the test's own process: whoever makes it complain fails. */
afterEach(() => {
  expect(complaints.splice(0), "complaints in the server's log").toEqual([]);
});
