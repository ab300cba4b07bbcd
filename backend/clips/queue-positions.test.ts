import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshServices, freshServices } from "../storage/testing/fresh-services.ts";
import { keptQueuePositions, queueKey } from "./queue-positions.ts";

let fresh: FreshServices;
let players = 0;
beforeAll(async () => {
  fresh = await freshServices();
});
afterAll(() => fresh.remove());

/** A clip of a player of its own, in the queue. */
async function queuedClip(): Promise<{ clipId: number }> {
  const { database } = fresh.services;
  const user = { steam_id: `${76561199999950000n + BigInt(++players)}`, steam_name: "waits" };
  const { id: userId } = await database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
  const matchId = `queuedmatch${players}`;
  await database.insertInto("matches").values({ id: matchId, user_id: userId, source: "url" }).execute();
  const clip = {
    user_id: userId,
    match_id: matchId,
    demo_sha256: "0".repeat(64),
    name: "",
    spec: "{}",
    settings: "{}",
  };
  const { id } = await database
    .insertInto("clips")
    .values({ ...clip, status: "queued", queue_slot: 1 })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { clipId: id };
}

test("A line is worked out once for all that ask within a second, and anew for what it does not know", async () => {
  const { services } = fresh;
  const [first, second] = [await queuedClip(), await queuedClip()];
  const askers = await Promise.all(Array.from({ length: 30 }, () => keptQueuePositions(services, [second])));
  expect(new Set(askers).size).toBe(1);
  expect(askers[0]?.get(queueKey(second))).toBe(2);

  // Created since, and asked for at once by many.
  const third = await queuedClip();
  const anew = await Promise.all(Array.from({ length: 30 }, () => keptQueuePositions(services, [third])));
  expect(new Set(anew).size).toBe(1);
  expect(anew[0]?.get(queueKey(third))).toBe(3);
  expect(await keptQueuePositions(services, [first, third])).toBe(anew[0]);

  // Who waits moves up within moments.
  await services.database.deleteFrom("clips").where("id", "=", first.clipId).execute();
  await expect
    .poll(async () => (await keptQueuePositions(services, [third])).get(queueKey(third)), { timeout: 20_000 })
    .toBe(2);
});

test("What is asked for while the line is being read, and was created since that began, has its place", async () => {
  const { services } = fresh;
  const known = await queuedClip();
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const reading = keptQueuePositions(services, [known]);
  // The one connection serves in turn: the clip is created after the line was read, and asked for while nobody knows of that yet.
  const created = await queuedClip();
  const asked = keptQueuePositions(services, [created]);
  expect((await asked).has(queueKey(created))).toBe(true);
  expect((await reading).has(queueKey(known))).toBe(true);
});

test("A line that could not be read is read again for who asks next", async () => {
  const { services } = fresh;
  const known = await queuedClip();
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await services.database.schema.alterTable("job_turns").renameTo("job_turns_away").execute();
  await expect(keptQueuePositions(services, [known])).rejects.toThrow("job_turns");
  await services.database.schema.alterTable("job_turns_away").renameTo("job_turns").execute();
  expect((await keptQueuePositions(services, [known])).has(queueKey(known))).toBe(true);
});
