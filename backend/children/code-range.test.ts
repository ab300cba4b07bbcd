import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { codeRangeBytes, largestCodeRange, threadCodeRangeMb } from "./code-range.ts";

test("what may be written to and run, and is of no file, is the range of machine code", () => {
  const maps = [
    "00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/node",
    "00651000-00652000 rwxp 00051000 08:02 173521      /usr/bin/node",
    "7f0ffc000000-7f101bdc0000 rwxp 00000000 00:00 0 ",
    "7f101bdc0000-7f101bdc1000 rwxp 00000000 00:00 0 ",
    "7f1038d0a000-7f103950a000 rw-p 00000000 00:00 0 ",
  ].join("\n");
  expect(largestCodeRange(maps)).toBe(0x1fdc0000);
  expect(largestCodeRange("")).toBe(0);
});

/** Memory as RLIMIT_DATA counts it. */
const dataBytes = () => Number(/^VmData:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;

test.runIf(process.platform === "linux")(
  "a process with a thread takes little beyond that range, whatever Node it is",
  async () => {
    const before = dataBytes();
    const thread = new Worker("setInterval(() => {}, 1000)", {
      eval: true,
      resourceLimits: { codeRangeSizeMb: threadCodeRangeMb },
    });
    await new Promise((resolve) => thread.once("online", resolve));
    expect(dataBytes() - before).toBeLessThan(200e6);
    await thread.terminate();
    expect(codeRangeBytes()).toBeLessThan(600e6);
    if (Number.parseInt(process.versions.node, 10) >= 24) expect(codeRangeBytes()).toBeGreaterThan(100e6);
  },
);
