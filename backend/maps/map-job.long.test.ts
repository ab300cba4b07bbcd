import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeMapFootprints } from "../../replay/map-footprints.ts";
import { walkedArea } from "../../scene/testing/synthetic-track.ts";
import { deleteOrphanBlobs } from "../retention/delete-orphans.ts";
import type { Services } from "../services.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { keptRelief, mapReliefName } from "../video/kept-reliefs.ts";
import { deleteOldMapFootprints, mapFootprintsKey, mapInForce } from "./map-files.ts";
import { runMapJob, sendDueMapJobs } from "./map-job.ts";
import { addMatch } from "./testing/add-match.ts";

const hourMs = 3600_000;
const run = { signal: new AbortController().signal, attempt: 0, isLastAttempt: false, isAutomatic: false };
const frame = { width: 1280, height: 720 };
const hall = walkedArea(-400, -300, 400, 300);
async function readMap({ blobs }: Services, hash: string | null) {
  const { path, release } = await blobs.openLocal(mapFootprintsKey(hash ?? ""));
  try {
    return decodeMapFootprints(gunzipSync(readFileSync(path)));
  } finally {
    await release();
  }
}

test("A map's second match makes its footprints at once, later ones those of the next day, and no match counts twice", async () => {
  // A relief that could not be drawn is said in the log alone.
  const { services, remove } = await freshServices("embedded", { LOG_LEVEL: "warn" });
  let now = new Date("2026-03-01T10:00:00Z");
  services.now = () => now;
  const { database, jobs } = services;
  const waiting = async () => (await jobs.depth()).map.waiting;
  const merge = async () => {
    await sendDueMapJobs(services);
    await runMapJob(services, { map: "de_test" }, run);
  };
  const inForce = () => mapInForce(services, "de_test");
  try {
    const user = { steam_id: "76561198000000001", steam_name: "player" };
    const { id: userId } = await database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
    await addMatch(services, userId, hall, now);
    await merge();
    expect([await inForce(), await waiting()]).toEqual([null, 0]);

    await addMatch(services, userId, walkedArea(-400, -300, 500, 300), now);
    await sendDueMapJobs(services);
    await sendDueMapJobs(services);
    expect(await waiting()).toBe(1);
    await merge();
    const first = await inForce();
    expect(await readMap(services, first)).toMatchObject({ rawMap: "de_test", matches: 2 });
    expect(await keptRelief(services, mapReliefName(first ?? "", frame))).not.toBeNull();
    await merge();
    expect(await database.selectFrom("map_footprints").select("hash").execute()).toEqual([{ hash: first }]);

    // More on the same day: what is in force stays.
    now = new Date("2026-03-01T23:59:59Z");
    await addMatch(services, userId, walkedArea(-500, -300, 500, 400), now);
    await merge();
    expect(await inForce()).toBe(first);
    expect(await database.selectFrom("map_footprints").select("matches").orderBy("valid_from").execute()).toEqual([
      { matches: 2 },
      { matches: 3 },
    ]);
    now = new Date("2026-03-02T00:00:00Z");
    const second = await inForce();
    expect(second).not.toBe(first);
    expect(await readMap(services, second)).toMatchObject({ matches: 3 });

    // A clip that was planned with the first keeps it; without one it goes with what nobody names.
    const clip = {
      ...{ user_id: userId, match_id: "match0000001", demo_sha256: "0".repeat(64), name: "clip", map_hash: first },
      ...({ spec: JSON.stringify(frame), settings: "{}", status: "failed" } as const),
    };
    await database.insertInto("matches").values({ id: "match0000001", user_id: userId, source: "url" }).execute();
    const { id: clipId } = await database.insertInto("clips").values(clip).returning("id").executeTakeFirstOrThrow();
    // Blobs have the machine's time.
    now = new Date(Date.now() + 100 * 24 * hourMs);
    await deleteOldMapFootprints(services);
    expect(await database.selectFrom("map_footprints").select("hash").execute()).toEqual([{ hash: second }]);
    await deleteOrphanBlobs(services, run.signal);
    expect(await readMap(services, first)).toMatchObject({ matches: 2 });
    await database.deleteFrom("clips").where("id", "=", clipId).execute();
    await deleteOrphanBlobs(services, run.signal);
    await expect(readMap(services, first)).rejects.toThrow();
    expect(await readMap(services, second)).toMatchObject({ matches: 3 });
  } finally {
    await remove();
  }
});

test("A merge that is broken off leaves what is in force, and is made up for", async () => {
  const { services, remove } = await freshServices();
  const { database } = services;
  try {
    const user = { steam_id: "76561198000000001", steam_name: "player" };
    const { id: userId } = await database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
    for (let i = 0; i < 2; i++) await addMatch(services, userId, hall, services.now());
    const stop = new AbortController();
    const { blobs } = services;
    services.blobs = Object.create(blobs, {
      openLocal: {
        value: async (key: string) => {
          const opened = await blobs.openLocal(key);
          stop.abort(new Error("The server stops."));
          return opened;
        },
      },
    });
    const broken = runMapJob(services, { map: "de_test" }, { ...run, signal: stop.signal });
    await expect(broken).rejects.toThrow("The server stops.");
    services.blobs = blobs;
    expect(await mapInForce(services, "de_test")).toBeNull();
    await runMapJob(services, { map: "de_test" }, run);
    expect(await readMap(services, await mapInForce(services, "de_test"))).toMatchObject({ matches: 2 });
  } finally {
    await remove();
  }
});

test("What was deleted is gone from the next file, and a clock that was ahead leaves nothing that is merged again and again", async () => {
  const { services, remove } = await freshServices();
  let now = new Date("2027-03-01T10:00:00Z");
  services.now = () => now;
  const { database, jobs } = services;
  const rows = () =>
    database.selectFrom("map_footprints").select(["matches", "made_at"]).orderBy("valid_from").execute();
  try {
    const user = { steam_id: "76561198000000001", steam_name: "player" };
    const { id: userId } = await database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
    for (let i = 0; i < 3; i++) await addMatch(services, userId, hall, now);
    await runMapJob(services, { map: "de_test" }, run);
    expect(await rows()).toMatchObject([{ matches: 3 }]);

    // The clock is set right, a year back.
    now = new Date("2026-03-01T10:00:00Z");
    await runMapJob(services, { map: "de_test" }, run);
    expect(await rows()).toEqual([{ matches: 3, made_at: now }]);
    await sendDueMapJobs(services);
    expect((await jobs.depth()).map.waiting).toBe(0);

    // Nothing new: looked at again, and made no other.
    now = new Date("2026-03-01T17:00:00Z");
    await sendDueMapJobs(services);
    expect((await jobs.depth()).map.waiting).toBe(1);
    await runMapJob(services, { map: "de_test" }, run);
    expect(await rows()).toEqual([{ matches: 3, made_at: now }]);

    const first = database.selectFrom("matches").select("demo_sha256").orderBy("id").limit(1);
    await database.deleteFrom("demos").where("sha256", "in", first).execute();
    now = new Date("2026-03-02T10:00:00Z");
    await runMapJob(services, { map: "de_test" }, run);
    expect(await rows()).toMatchObject([{ matches: 3 }, { matches: 2 }]);
    await database.deleteFrom("demos").execute();
    await deleteOldMapFootprints(services);
    expect(await rows()).toEqual([]);
  } finally {
    await remove();
  }
});

test("A store that is away leaves what is in force, and the map is merged some hours later", async () => {
  const { services, remove } = await freshServices();
  let now = new Date("2026-03-01T10:00:00Z");
  services.now = () => now;
  const { database, blobs } = services;
  const last = { ...run, isLastAttempt: true };
  const away = Object.create(blobs, { openLocal: { value: () => Promise.reject(new Error("The store is away.")) } });
  const inForce = () => mapInForce(services, "de_test");
  try {
    const user = { steam_id: "76561198000000001", steam_name: "player" };
    const { id: userId } = await database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
    for (let i = 0; i < 2; i++) await addMatch(services, userId, hall, now);
    services.blobs = away;
    await runMapJob(services, { map: "de_test" }, last);
    expect(await inForce()).toBeNull();
    services.blobs = blobs;
    now = new Date("2026-03-01T17:00:00Z");
    await runMapJob(services, { map: "de_test" }, last);
    const first = await inForce();
    expect(await readMap(services, first)).toMatchObject({ matches: 2 });

    await addMatch(services, userId, walkedArea(-400, -300, 500, 300), now);
    now = new Date("2026-03-02T10:00:00Z");
    services.blobs = away;
    await runMapJob(services, { map: "de_test" }, last);
    now = new Date("2026-03-03T10:00:00Z");
    expect(await inForce()).toBe(first);
    services.blobs = blobs;
    await runMapJob(services, { map: "de_test" }, last);
    now = new Date("2026-03-04T10:00:00Z");
    expect(await readMap(services, await inForce())).toMatchObject({ matches: 3 });
  } finally {
    await remove();
  }
});
