import { format } from "node:util";
import { frameworkComplaint } from "./framework-complaint.ts";

const complaints: string[] = [];
const hearers = { log: new Set<string[]>(), warn: new Set<string[]>(), error: new Set<string[]>() };

for (const level of ["log", "warn", "error"] as const) {
  const print = console[level].bind(console);
  console[level] = (...parts: unknown[]) => {
    const line = format(...parts);
    if (frameworkComplaint.test(line)) complaints.push(line);
    for (const lines of hearers[level]) lines.push(line);
    // Messages that a test expects are not printed.
    if (hearers[level].size === 0) print(...parts);
  };
}
process.on("warning", (warning) => complaints.push(String(warning)));

/** Complaints of frameworks in this process since the last call. */
export function takeComplaints(): string[] {
  return complaints.splice(0);
}

/** Collects this process's messages of a level in `lines` instead of printing them, until `end` is called. */
export function hearConsole(level: "warn" | "error"): { lines: string[]; end(): void } {
  const lines: string[] = [];
  hearers[level].add(lines);
  return { lines, end: () => hearers[level].delete(lines) };
}
