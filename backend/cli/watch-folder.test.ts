import { expect, test } from "vitest";
import { InterruptedError } from "../jobs/job-queue.ts";
import { CliError } from "./cli-error.ts";
import { mayPass } from "./sentence-of.ts";
import { retryPauseMs } from "./watch-folder.ts";

test("what may pass is tried again with a doubling pause, six times, within eleven minutes", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map(retryPauseMs);
  expect(pauses).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 320_000, null, null]);
  expect(pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0)).toBeLessThan(11 * 60_000);
});

test("files in use and processes that somebody ended may pass, what is wrong with a demo does not", () => {
  const busy = Object.assign(new Error("EBUSY: resource busy or locked"), { code: "EBUSY" });
  expect(mayPass(busy)).toBe(true);
  expect(mayPass(new CliError("The folder may not be written to.", { cause: busy }))).toBe(true);
  expect(mayPass(new InterruptedError("SIGKILL"))).toBe(true);
  expect(mayPass(new CliError("There is no such highlight."))).toBe(false);
  expect(mayPass(Object.assign(new Error("gone"), { code: "ENOENT" }))).toBe(false);
  expect(mayPass(null)).toBe(false);
});
