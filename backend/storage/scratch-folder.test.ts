import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { untilAborted } from "../waits/until-aborted.ts";
import { isDiskFull } from "./disk-full.ts";
import { DiskBecameFull, inScratchFolder } from "./scratch-folder.ts";

const scratchDirectory = mkdtempSync(join(tmpdir(), "scratch-"));
afterAll(() => rmSync(scratchDirectory, { recursive: true, force: true }));

const services = (isFull: boolean) => ({ scratchDirectory, diskSpace: { isFull: () => isFull } });
const going = new AbortController().signal;
const forEver = (signal: AbortSignal) => untilAborted(new Promise<void>(() => {}), signal);

test("a scratch folder is empty at first and gone once the work has ended, however it ends", async () => {
  const leaveFile = async ({ folder }: { folder: string }) => {
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, "half"), "made");
    return folder;
  };
  const folder = await inScratchFolder(services(false), "job-1", going, leaveFile);
  expect(existsSync(folder)).toBe(false);
  const failing = inScratchFolder(services(false), "job-1", going, async (run) => {
    await leaveFile(run);
    throw new Error("not made");
  });
  await expect(failing).rejects.toThrow("not made");
  expect(readdirSync(scratchDirectory)).toEqual([]);
});

test("a disk that becomes full ends the work and says so, unless the caller had ended it before", async () => {
  const filled = inScratchFolder(services(true), "job-2", going, ({ signal }) => forEver(signal));
  const error = await filled.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DiskBecameFull);
  expect(isDiskFull(error)).toBe(true);
  const ended = AbortSignal.abort(new Error("the worker stops"));
  const stopped = inScratchFolder(services(true), "job-2", ended, ({ signal }) => forEver(signal));
  await expect(stopped).rejects.toThrow("the worker stops");
  expect(readdirSync(scratchDirectory)).toEqual([]);
});
