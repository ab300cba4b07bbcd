import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Services } from "../services.ts";
import { type FreshServices, freshServices } from "../storage/testing/fresh-services.ts";
import { untilAborted } from "../waits/until-aborted.ts";
import { type JobContext, PostponeJob } from "./job-queue.ts";
import { runSpareWork } from "./spare-work.ts";

let fresh: FreshServices;
beforeAll(async () => {
  fresh = await freshServices();
});
afterAll(() => fresh.remove());

const loop = { name: "loop-1", what: "a loop" };
const contextOf = (signal = new AbortController().signal) => ({ signal }) as JobContext;
/** Services on a disk that is, or becomes, short or full. */
const onDisk = (disk: { isShort?: boolean; isFull?: boolean }): Services => {
  const diskSpace = { isShort: () => disk.isShort === true, isFull: () => disk.isFull === true };
  return { ...fresh.services, diskSpace: diskSpace as Services["diskSpace"] };
};
const scratch = () => readdirSync(fresh.services.scratchDirectory);

test("spare work has a folder of its own, which goes with it however it ends", async () => {
  const folders: string[] = [];
  const make = (end: () => void) => () =>
    runSpareWork(onDisk({}), contextOf(), loop, async ({ folder, version }) => {
      folders.push(folder);
      expect(folder).toMatch(new RegExp(`/loop-1-${version}$`));
      writeFileSync(join(folder, "half"), "made");
      end();
    });
  await make(() => {})();
  const fail = make(() => {
    throw new Error("no loop");
  });
  await expect(fail()).rejects.toThrow("no loop");
  expect(new Set(folders).size).toBe(2);
  expect(folders.some((folder) => existsSync(folder))).toBe(false);
});

test("a disk without room makes spare work wait, before it begins and under it", async () => {
  const make = vi.fn(({ signal }: { signal: AbortSignal }) => untilAborted(new Promise<void>(() => {}), signal));
  const noRoom = new PostponeJob("The disk has no room for a loop.", 60_000);
  await expect(runSpareWork(onDisk({ isShort: true }), contextOf(), loop, make)).rejects.toEqual(noRoom);
  expect(make).not.toHaveBeenCalled();
  await expect(runSpareWork(onDisk({ isFull: true }), contextOf(), loop, make)).rejects.toEqual(noRoom);
  // The queue reports what it ended itself.
  const ended = AbortSignal.abort(new Error("the worker stops"));
  await expect(runSpareWork(onDisk({ isFull: true }), contextOf(ended), loop, make)).rejects.toThrow(
    "the worker stops",
  );
  expect(scratch().filter((name) => name.startsWith("loop-1"))).toEqual([]);
});
