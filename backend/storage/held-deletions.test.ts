import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdDeletions, holdKey } from "./held-deletions.ts";
import { freshServices } from "./testing/fresh-services.ts";

test("what one backup lets go another still holds, and one that died, or is of an earlier version, holds for its minute", async () => {
  const { services, remove } = await freshServices();
  const { blobs, database, scratchDirectory } = services;
  const key = "clips/1/video.mp4";
  const path = join(scratchDirectory, "video");
  writeFileSync(path, "video");
  await blobs.putFile(key, path, "video/mp4");
  const isThereAfterDelete = async () => {
    await blobs.delete(key);
    return (await blobs.stat(key)) !== null;
  };
  const [first, second] = [await holdDeletions(database), await holdDeletions(database)];
  await first.release();
  expect(await isThereAfterDelete(), "the second holds").toBe(true);
  await second.release();
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  await database
    .insertInto("settings")
    .values({ key: holdKey, value: inMs(50_000) })
    .execute();
  expect(await isThereAfterDelete(), "of an earlier version").toBe(true);
  await database
    .updateTable("settings")
    .set({ value: inMs(-1000) })
    .where("key", "=", holdKey)
    .execute();
  expect(await isThereAfterDelete(), "it died").toBe(false);
  await (await holdDeletions(database)).release();
  const rows = await database.selectFrom("settings").select("key").execute();
  expect(rows.filter((row) => row.key.startsWith(holdKey))).toEqual([]);
  await remove();
});
