import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { openServices } from "./open-services.ts";
import { operatorSocketPath } from "./operator/operator-socket.ts";
import { deleteLeftScratch } from "./retention/delete-orphans.ts";
import { DataDirectoryInUseError } from "./storage/data-directory-lock.ts";
import { migratedPlace } from "./storage/testing/fresh-database.ts";

const configAt = (place: { DATA_DIR: string; DATABASE_URL: string | undefined }) =>
  readConfig({ ...place, LOG_LEVEL: "silent" });

test("a start empties what the last run left in the scratch folder", async () => {
  const place = await migratedPlace("embedded");
  mkdirSync(join(place.DATA_DIR, "scratch/import-1"), { recursive: true });
  writeFileSync(join(place.DATA_DIR, "scratch/import-1/demo"), "half");
  const { services, close } = await openServices(configAt(place));
  expect(readdirSync(services.scratchDirectory)).toEqual([]);
  await close();
  rmSync(place.DATA_DIR, { recursive: true });
});

test("processes that share a folder leave each other's scratch files alone, but not what others left hours ago, at a start and while they run", async () => {
  const place = await migratedPlace("postgres");
  const first = await openServices(configAt(place));
  writeFileSync(join(first.services.scratchDirectory, "in-work"), "x");
  const left = join(place.DATA_DIR, "scratch/gone-machine");
  mkdirSync(left);
  const hoursAgo = Date.now() / 1000 - 4 * 3600;
  utimesSync(left, hoursAgo, hoursAgo);
  const second = await openServices(configAt(place));
  expect(second.services.scratchDirectory).not.toBe(first.services.scratchDirectory);
  expect(existsSync(join(first.services.scratchDirectory, "in-work"))).toBe(true);
  expect(existsSync(left)).toBe(false);
  mkdirSync(left);
  for (const path of [left, second.services.scratchDirectory]) utimesSync(path, hoursAgo, hoursAgo);
  expect(await deleteLeftScratch(second.services)).toBe(1);
  expect([left, first.services.scratchDirectory, second.services.scratchDirectory].map(existsSync)).toEqual([
    false,
    true,
    true,
  ]);
  await second.close();
  await first.close();
  expect(readdirSync(join(place.DATA_DIR, "scratch"))).toEqual([]);
  rmSync(place.DATA_DIR, { recursive: true });
});

test("closing lets running jobs write to the database before it goes", async () => {
  const place = await migratedPlace("embedded");
  const { services, close } = await openServices(configAt(place));
  let began = false;
  await services.jobs.work("import", 1, async (_, { signal }) => {
    began = true;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await services.database.insertInto("settings").values({ key: "last words", value: "put away" }).execute();
    throw signal.reason;
  });
  await services.jobs.send("import", { matchId: "m" }, { ownerId: null });
  while (!began) await new Promise((resolve) => setTimeout(resolve, 10));
  await close();

  const again = await openServices(configAt(place));
  const words = await again.services.database
    .selectFrom("settings")
    .select("value")
    .where("key", "=", "last words")
    .execute();
  expect(words).toEqual([{ value: "put away" }]);
  expect((await again.services.jobs.depth()).import).toEqual({ waiting: 1, running: 0 });
  await again.close();
  rmSync(place.DATA_DIR, { recursive: true });
});

test("a data directory that a server in another container serves is not opened a second time", async () => {
  const place = await migratedPlace("embedded");
  const other = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => other.listen(operatorSocketPath(place.DATA_DIR), resolve));
  await expect(openServices(configAt(place))).rejects.toBeInstanceOf(DataDirectoryInUseError);
  await new Promise((resolve) => other.close(resolve));
  const { close } = await openServices(configAt(place));
  await close();
  rmSync(place.DATA_DIR, { recursive: true });
});
