import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { retryImport } from "../matches/create-match.ts";
import type { Services } from "../services.ts";
import { holdDeletions } from "../storage/held-deletions.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { deleteHeldBlobs } from "./delete-held.ts";
import { deleteOldDemoFiles } from "./delete-old-demo-files.ts";
import { deleteOldMatches } from "./delete-old-matches.ts";
import { deleteOrphanBlobs } from "./delete-orphans.ts";
import { runRetention, startRetention } from "./run-retention.ts";

const dayMs = 24 * 3600_000;
const never = new AbortController().signal;

/** Services whose clock can be moved ahead by days. */
async function withServices(
  kind: "embedded" | "postgres",
  work: (services: Services, daysLater: (days: number) => void) => Promise<void>,
): Promise<void> {
  const { services, remove } = await freshServices(kind, {
    DEMO_FILE_DAYS: "1",
    DEMO_DATA_DAYS: "730",
    CLIP_DAYS: "730",
  });
  let days = 0;
  services.now = () => new Date(Date.now() + days * dayMs);
  try {
    await work(services, (ahead) => {
      days = ahead;
    });
  } finally {
    await remove();
  }
}

async function putBlob({ blobs, scratchDirectory }: Services, key: string): Promise<string> {
  const path = join(scratchDirectory, randomBytes(6).toString("hex"));
  writeFileSync(path, key);
  await blobs.putFile(key, path, "application/octet-stream");
  return key;
}

async function keysOf({ blobs }: Services): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of blobs.list("")) keys.push(key);
  return keys.sort();
}

async function addUser({ database }: Services): Promise<number> {
  const user = await database
    .insertInto("users")
    .values({ steam_id: "76561198000000001", steam_name: "device" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return user.id;
}

async function addMatch(
  services: Services,
  userId: number,
  id: string,
  sha256 = id.padStart(64, "0"),
): Promise<string> {
  const { database, now } = services;
  await database
    .insertInto("demos")
    .values({
      sha256,
      map: "de_mirage",
      game_mode: "Matchmaking",
      server_name: "",
      timing: JSON.stringify({ tickRate: 64, rounds: [] }),
      players: JSON.stringify([]),
      teams: JSON.stringify([]),
      track_key: await putBlob(services, `demos/${id}/track.bin`),
      file_key: await putBlob(services, `demos/${id}/demo.bin`),
      file_bytes: 10,
      detector_version: 1,
      created_at: now(),
    })
    .execute();
  await database
    .insertInto("matches")
    .values({ id, user_id: userId, demo_sha256: sha256, source: "url", status: "completed", created_at: now() })
    .execute();
  return sha256;
}

async function addClip(services: Services, userId: number, matchId: string, sha256: string): Promise<number> {
  const { database, now } = services;
  const { id } = await database
    .insertInto("clips")
    .values({
      user_id: userId,
      match_id: matchId,
      demo_sha256: sha256,
      name: "Clutch",
      spec: JSON.stringify({}),
      settings: JSON.stringify({}),
      queue_slot: 1,
      created_at: now(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const keys = {
    video_key: `clips/${id}/video.mp4`,
    poster_key: `clips/${id}/poster.jpg`,
    thumbnail_key: `clips/${id}/thumbnail.jpg`,
  };
  for (const key of Object.values(keys)) await putBlob(services, key);
  await database
    .updateTable("clips")
    .set({
      status: "completed",
      queue_slot: null,
      ...keys,
      wide_poster_key: await putBlob(services, `clips/${id}/wide-poster.jpg`),
      share_key: await putBlob(services, `clips/${id}/share.mp4`),
      loop_key: await putBlob(services, `clips/${id}/loop.mp4`),
    })
    .where("id", "=", id)
    .execute();
  await database
    .insertInto("clip_formats")
    .values({
      clip_id: id,
      user_id: userId,
      format: "vertical",
      status: "completed",
      video_key: await putBlob(services, `clips/${id}/vertical-video.mp4`),
      poster_key: await putBlob(services, `clips/${id}/vertical-poster.jpg`),
    })
    .execute();
  return id;
}

for (const kind of ["embedded", "postgres"] as const) {
  test(`raw demos go after a day, matches and clips after two years, on ${kind}`, async () => {
    await withServices(kind, async (services, daysLater) => {
      const { database } = services;
      const userId = await addUser(services);
      const sha256 = await addMatch(services, userId, "a1");
      const clipId = await addClip(services, userId, "a1", sha256);
      // A custom highlight with its still.
      const still = await putBlob(services, "demos/a1/still-1-ab.webp");
      await database
        .insertInto("highlights")
        .values({
          ...{ demo_sha256: sha256, type: "custom", round: 1, player: 0, kills_count: 0, score: -1, reason: "" },
          ...{ start_tick: 1, end_tick: 2, moments: "[]", is_listed: true, name: "Custom Moment", still_key: still },
        })
        .execute();
      const upload = await putBlob(services, "uploads/u1");
      await database
        .insertInto("matches")
        .values({ id: "failed", user_id: userId, source: "upload", status: "failed", upload_key: upload })
        .execute();
      const ofClip = (id: number) =>
        [
          ...["loop.mp4", "poster.jpg", "share.mp4", "thumbnail.jpg"],
          ...["vertical-poster.jpg", "vertical-video.mp4", "video.mp4", "wide-poster.jpg"],
        ].map((name) => `clips/${id}/${name}`);
      const all = [...ofClip(1), "demos/a1/demo.bin", still, "demos/a1/track.bin", "uploads/u1"];

      daysLater(0.9);
      expect(await runRetention(services, never)).toMatchObject({ demoFiles: 0, clips: 0, matches: 0, tracks: 0 });
      expect(await keysOf(services)).toEqual(all);

      daysLater(1.1);
      expect(await runRetention(services, never)).toMatchObject({ demoFiles: 2, clips: 0, matches: 0, orphanBlobs: 0 });
      expect(await keysOf(services)).toEqual([...ofClip(1), still, "demos/a1/track.bin"]);
      expect(await database.selectFrom("demos").select(["file_key", "file_bytes"]).execute()).toEqual([
        { file_key: null, file_bytes: null },
      ]);

      daysLater(729);
      expect(await runRetention(services, never)).toMatchObject({ demoFiles: 0, clips: 0, matches: 0, tracks: 0 });

      // A late clip outlives its match's data by its own two years.
      const late = await addClip(services, userId, "a1", sha256);
      daysLater(731);
      expect(await runRetention(services, never)).toMatchObject({ clips: 1, matches: 1, tracks: 1 });
      expect(await database.selectFrom("clips").select("id").execute()).toEqual([{ id: late }]);
      expect(await database.selectFrom("matches").select("id").execute()).toEqual([{ id: "a1" }]);
      expect(await keysOf(services)).toEqual(ofClip(late));
      expect(clipId).not.toBe(late);

      daysLater(729 + 731);
      expect(await runRetention(services, never)).toMatchObject({ clips: 1, matches: 1 });
      for (const table of ["clips", "matches", "demos", "highlights"] as const) {
        expect(await database.selectFrom(table).selectAll().execute()).toEqual([]);
      }
      expect(await keysOf(services)).toEqual([]);
    });
  });

  test(`a demo imported again keeps its match, and work in progress is left alone, on ${kind}`, async () => {
    await withServices(kind, async (services, daysLater) => {
      const { database } = services;
      const userId = await addUser(services);
      const sha256 = await addMatch(services, userId, "b1");
      await addMatch(services, userId, "c1");
      daysLater(700);
      await database
        .insertInto("matches")
        .values({
          id: "b2",
          user_id: userId,
          source: "url",
          status: "completed",
          alias_of: "b1",
          created_at: services.now(),
        })
        .execute();
      await database
        .insertInto("clips")
        .values({
          user_id: userId,
          match_id: "c1",
          demo_sha256: "c1".padStart(64, "0"),
          name: "in the making",
          spec: JSON.stringify({}),
          settings: JSON.stringify({}),
          queue_slot: 1,
          created_at: new Date(services.now().getTime() - 1000 * dayMs),
        })
        .execute();
      daysLater(800);
      expect(await runRetention(services, never)).toMatchObject({ clips: 0, matches: 0, tracks: 0 });
      expect(await keysOf(services)).toEqual(["demos/b1/track.bin", "demos/c1/track.bin"]);
      daysLater(1500);
      expect(await runRetention(services, never)).toMatchObject({ matches: 1 });
      expect(await database.selectFrom("demos").select("sha256").where("sha256", "=", sha256).execute()).toEqual([]);
    });
  });

  test(`a track stays for a format that is being added to a finished clip, on ${kind}`, async () => {
    await withServices(kind, async (services, daysLater) => {
      const { database } = services;
      const userId = await addUser(services);
      const sha256 = await addMatch(services, userId, "f1");
      const clipId = await addClip(services, userId, "f1", sha256);
      const ofFormat = database.updateTable("clip_formats").where("clip_id", "=", clipId);
      await ofFormat.set({ status: "queued", queue_slot: 1 }).execute();
      const inTime = new Date(services.now().getTime() + 790 * dayMs);
      await database.updateTable("clips").set({ created_at: inTime }).execute();
      daysLater(800);
      expect(await runRetention(services, never)).toMatchObject({ clips: 0, tracks: 0 });
      expect(await keysOf(services)).toContain("demos/f1/track.bin");
      await ofFormat.set({ status: "completed", queue_slot: null }).execute();
      expect(await runRetention(services, never)).toMatchObject({ clips: 0, tracks: 1 });
    });
  });

  test(`traces of visitors go on ${kind}`, async () => {
    await withServices(kind, async (services, daysLater) => {
      const { database } = services;
      const userId = await addUser(services);
      const sha256 = await addMatch(services, userId, "d1");
      const clipId = await addClip(services, userId, "d1", sha256);
      const at = services.now();
      await database
        .insertInto("sessions")
        .values({
          id_hash: "s",
          user_id: userId,
          created_at: at,
          last_seen_at: at,
          expires_at: new Date(at.getTime() + dayMs),
        })
        .execute();
      await database.insertInto("openid_nonces").values({ nonce: "n", seen_at: at }).execute();
      await database.insertInto("views").values({ clip_id: clipId, viewer_hash: "v", viewed_at: at }).execute();
      await database.insertInto("rate_counters").values({ key: "r", window_start: at, count: 1 }).execute();
      await database.insertInto("profiles").values({ steam_id: "1", name: "p", refreshed_at: at }).execute();
      const left = async () => {
        const tables = ["sessions", "openid_nonces", "views", "rate_counters", "profiles"] as const;
        const counts = await Promise.all(tables.map((table) => database.selectFrom(table).selectAll().execute()));
        return counts.map((rows) => rows.length);
      };
      await runRetention(services, never);
      expect(await left()).toEqual([1, 1, 1, 1, 1]);
      daysLater(6.5 / 24);
      await runRetention(services, never);
      // Views are needed for six hours.
      expect(await left()).toEqual([1, 1, 0, 1, 1]);
      daysLater(3);
      expect(await runRetention(services, never)).toMatchObject({ sessions: 1 });
      expect(await left()).toEqual([0, 0, 0, 0, 1]);
      daysLater(731);
      await runRetention(services, never);
      expect(await left()).toEqual([0, 0, 0, 0, 0]);
    });
  });
}

/** Runs something for a player when retention is about to delete its first file. */
function atFirstDeletion({ blobs }: Services, meanwhile: (key: string) => Promise<unknown>): void {
  const remove = blobs.delete.bind(blobs);
  let isFirst = true;
  blobs.delete = async (key) => {
    if (isFirst) {
      isFirst = false;
      await meanwhile(key);
    }
    await remove(key);
  };
}

test("An upload whose import is tried again meanwhile stays, and so does one that a demo names", async () => {
  await withServices("embedded", async (services, daysLater) => {
    const { database } = services;
    const userId = await addUser(services);
    const user = await database.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
    for (const id of ["u1", "u2", "named"]) {
      const upload_key = await putBlob(services, `uploads/${id}`);
      await database
        .insertInto("matches")
        .values({ id, user_id: userId, source: "upload", status: "failed", upload_key })
        .execute();
    }
    daysLater(1.1);
    // Somebody else imported it a moment ago: its raw file is the upload.
    const sha256 = await addMatch(services, userId, "a1");
    await database.updateTable("demos").set({ file_key: "uploads/named" }).where("sha256", "=", sha256).execute();
    let kept = "";
    atFirstDeletion(services, async (key) => {
      kept = key === "uploads/u1" ? "u2" : "u1";
      await retryImport(services, user, kept);
    });
    expect(await deleteOldDemoFiles(services, never)).toBe(2);
    const stillNamed = await database
      .selectFrom("matches")
      .select(["id", "status", "upload_key"])
      .where("upload_key", "is not", null)
      .execute();
    expect(stillNamed).toEqual([{ id: kept, status: "queued", upload_key: `uploads/${kept}` }]);
    const uploads = (await keysOf(services)).filter((key) => key.startsWith("uploads/"));
    expect(uploads).toEqual(["uploads/named", `uploads/${kept}`]);
  });
});

test("A track of which a clip is asked for meanwhile stays", async () => {
  await withServices("embedded", async (services, daysLater) => {
    const { database } = services;
    const userId = await addUser(services);
    for (const id of ["a1", "a2"]) await addMatch(services, userId, id);
    daysLater(731);
    for (const id of ["a1", "a2"]) await addClip(services, userId, id, id.padStart(64, "0"));
    let kept = "";
    atFirstDeletion(services, async (key) => {
      kept = key.startsWith("demos/a1/") ? "a2" : "a1";
      await database
        .updateTable("clips")
        .set({ status: "queued", queue_slot: 1 })
        .where("match_id", "=", kept)
        .execute();
    });
    expect(await deleteOldMatches(services, never)).toEqual({ matches: 0, tracks: 1 });
    const tracks = (await keysOf(services)).filter((key) => key.endsWith("/track.bin"));
    expect(tracks).toEqual([`demos/${kept}/track.bin`]);
  });
});

test("A match of which a clip is made meanwhile stays with it, before the match's turn comes and in its very turn", async () => {
  await withServices("postgres", async (services, daysLater) => {
    const { database } = services;
    const userId = await addUser(services);
    const sha256s = new Map<string, string>();
    for (const id of ["c1", "c2"]) sha256s.set(id, await addMatch(services, userId, id));
    daysLater(731);
    let kept = "";
    atFirstDeletion(services, async (key) => {
      kept = key.startsWith("demos/c1/") ? "c2" : "c1";
      await addClip(services, userId, kept, sha256s.get(kept)!);
    });
    expect(await deleteOldMatches(services, never)).toMatchObject({ matches: 1 });
    const clipsOf = (id: string) => database.selectFrom("clips").select("id").where("match_id", "=", id).execute();
    expect(await clipsOf(kept)).toHaveLength(1);

    await database.deleteFrom("clips").execute();
    const making = await database.startTransaction().execute();
    await addClip({ ...services, database: making }, userId, kept, sha256s.get(kept)!);
    const deletion = deleteOldMatches(services, never);
    await vi.waitFor(async () => {
      const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect((await waiting.execute(database)).rows).toHaveLength(1);
    }, 10_000);
    await making.commit().execute();
    expect(await deletion).toMatchObject({ matches: 0 });
    expect(await clipsOf(kept)).toHaveLength(1);
  });
});

test("blobs and scratch files that nobody owns go after a day, others stay", async () => {
  await withServices("embedded", async (services, daysLater) => {
    const userId = await addUser(services);
    await addMatch(services, userId, "e1");
    for (let n = 0; n < 250; n++) await putBlob(services, `uploads/orphan-${n}`);
    await putBlob(services, "clips/99/video.mp4");
    await putBlob(services, "backups/not-ours");
    mkdirSync(join(services.scratchDirectory, "import-1"));
    writeFileSync(join(services.scratchDirectory, "import-1/demo"), "half");
    expect(await runRetention(services, never)).toMatchObject({ orphanBlobs: 0, scratchFiles: 0 });
    daysLater(1.1);
    // The raw demo of the match is deleted, too, but as a demo file.
    expect(await runRetention(services, never)).toMatchObject({ orphanBlobs: 251, scratchFiles: 1, demoFiles: 1 });
    expect(await keysOf(services)).toEqual(["backups/not-ours", "demos/e1/track.bin"]);
    expect(existsSync(join(services.scratchDirectory, "import-1"))).toBe(false);
  });
});

test("a run that breaks off anywhere is completed by the next one", async () => {
  await withServices("embedded", async (services, daysLater) => {
    const userId = await addUser(services);
    for (let n = 0; n < 5; n++) {
      const sha256 = await addMatch(services, userId, `f${n}`);
      await addClip(services, userId, `f${n}`, sha256);
    }
    daysLater(731);
    const { blobs } = services;
    const reliable = blobs.delete.bind(blobs);
    let calls = 0;
    blobs.delete = async (key) => {
      if (++calls % 3 === 0) throw new Error("the store is away");
      await reliable(key);
    };
    let failures = 0;
    while (
      !(await runRetention(services, never).then(
        () => true,
        () => false,
      ))
    ) {
      failures++;
    }
    expect(failures).toBeGreaterThan(2);
    expect(await keysOf(services)).toEqual([]);
    expect(await services.database.selectFrom("matches").selectAll().execute()).toEqual([]);
  });
});

test("retention stops when the server does, and is scheduled", async () => {
  await withServices("embedded", async (services, daysLater) => {
    const userId = await addUser(services);
    await addMatch(services, userId, "ab");
    daysLater(731);
    await expect(runRetention(services, AbortSignal.abort(new Error("stopping")))).rejects.toThrow("stopping");
    expect(await services.database.selectFrom("matches").select("id").execute()).toHaveLength(1);
    await startRetention(services);
    const { rows } = await sql`SELECT name, cron FROM pgboss.schedule`.execute(services.database);
    expect(rows).toEqual([{ name: "retention", cron: "17 * * * *" }]);
    await services.jobs.send("retention", {}, { ownerId: null });
    while ((await services.database.selectFrom("matches").select("id").execute()).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});

test("retention asks the store to give up uploads that are a day old, wherever blobs are ours", async () => {
  await withServices("embedded", async (services) => {
    const ended = vi.spyOn(services.blobs, "endUploads").mockResolvedValue(1);
    expect(await runRetention(services, never)).toMatchObject({ orphanBlobs: 5 });
    expect(ended.mock.calls.map(([prefix]) => prefix)).toEqual(["clips/", "demos/", "maps/", "probes/", "uploads/"]);
    const [, begunBefore] = ended.mock.calls[0] ?? [];
    expect((Date.now() - Number(begunBefore)) / dayMs).toBeCloseTo(1, 2);
  });
});

test("A large store is looked through part by part, and what is left over in it is found in the end", async () => {
  await withServices("embedded", async (services, daysLater) => {
    const userId = await addUser(services);
    await addMatch(services, userId, "e1");
    const orphans = [
      "clips/7/video.mp4",
      "clips/8/video.mp4",
      "demos/a0/track.bin",
      "demos/zz/track.bin",
      "uploads/u1",
    ];
    for (const key of orphans) await putBlob(services, key);
    daysLater(1.1);
    const left: number[] = [];
    for (let part = 0; part < 4; part++) {
      await deleteOrphanBlobs(services, never, { most: 2 });
      left.push((await keysOf(services)).length);
    }
    // Seven files, two of them the match's own.
    expect(left).toEqual([5, 4, 3, 2]);
    // After the end the walk goes on at the beginning: every file is checked within one round.
    await putBlob(services, "clips/1/video.mp4");
    daysLater(2.5);
    for (let part = 0; part < 3; part++) await deleteOrphanBlobs(services, never, { most: 2 });
    expect(await keysOf(services)).toEqual(["demos/e1/demo.bin", "demos/e1/track.bin"]);
  });
});

test("The sweep rests while a backup holds deletions, and goes on where it was", async () => {
  await withServices("embedded", async (services) => {
    const { config, database } = services;
    const twoDaysAgo = new Date(Date.now() - 2 * dayMs);
    for (let n = 0; n < 4; n++) {
      const key = await putBlob(services, `clips/${n}/video.mp4`);
      utimesSync(join(config.DATA_DIR, "blobs", key), twoDaysAgo, twoDaysAgo);
    }
    expect(await deleteOrphanBlobs(services, never, { most: 1 })).toBe(1);
    const held = await holdDeletions(database);
    expect(await deleteOrphanBlobs(services, never, { most: 2 })).toBe(0);
    await held.release();
    expect(await deleteOrphanBlobs(services, never, { most: 2 })).toBe(2);
    expect(await keysOf(services)).toEqual(["clips/3/video.mp4"]);
  });
});

test("What a backup held is deleted after it, but for what a row names by then", async () => {
  await withServices("embedded", async (services) => {
    const userId = await addUser(services);
    await putBlob(services, "clips/1/video.mp4");
    await putBlob(services, "demos/e1/track.bin");
    const held = await holdDeletions(services.database);
    for (const key of await keysOf(services)) await services.blobs.delete(key);
    expect(await deleteHeldBlobs(services), "held").toBe(0);
    await services.database.insertInto("held_deletions").values({ key: "demos/e1/demo.bin" }).execute();
    await addMatch(services, userId, "e1");
    // As a process without access to the database would have left it.
    await services.database.insertInto("held_deletions").values({ key: "demos/e1/track.bin" }).execute();
    await held.release();
    await runRetention(services, never);
    expect(await keysOf(services)).toEqual(["demos/e1/demo.bin", "demos/e1/track.bin"]);
    expect(await services.database.selectFrom("held_deletions").selectAll().execute()).toEqual([]);
  });
});
