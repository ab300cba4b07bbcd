import { EventEmitter, once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Kysely, sql, type Transaction } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { lockClipsOf } from "../matches/replace-highlights.ts";
import type { Database } from "../storage/schema.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { deleteMatch } from "./delete-match.ts";
import { deleteUser, summarizeAccount } from "./delete-user.ts";

/** A player with a clip that another one likes, of a match that was imported by itself. */
async function likedClip() {
  const { services, remove } = await freshServices("postgres");
  onTestFinished(remove);
  const { database } = services;
  await sql`
    INSERT INTO users (steam_id, steam_name)
    VALUES ('76561198000000001', 'Nova'), ('76561198000000002', 'Vega');
    INSERT INTO automation (user_id, is_on, choice, min_score, players, settings, clips_per_day, since, next_look_at)
    VALUES (1, true, 'best', 60, 'me', '{}', 1, now(), now());
    INSERT INTO matches (id, user_id, source, status, recent_match_id) VALUES ('match', 1, 'recent', 'completed', 'found');
    INSERT INTO automation_matches (user_id, provider_id, match_id, state, found_at, changed_at)
    VALUES (1, 'found', 'match', 'making', now(), now());
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, likes_count)
    VALUES (1, 'match', repeat('a', 64), '', '{}', '{}', 'failed', 1);
    INSERT INTO likes (user_id, clip_id) VALUES (2, 1)`.execute(database);
  return services;
}

/** Until another session waits for a lock. */
const untilSomebodyWaits = (database: Kysely<Database>) =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database);
    expect(rows).not.toEqual([]);
  }, 10_000);

/**
 * A transaction that locks the clip, and goes on when `other`, which begins meanwhile, waits for a lock.
 * @returns when both are done; a deadlock is the error of one
 */
async function crossed(
  database: Kysely<Database>,
  other: () => Promise<unknown>,
  goOn: (transaction: Transaction<Database>) => Promise<unknown>,
): Promise<void> {
  const events = new EventEmitter();
  const isHeld = once(events, "held");
  const isWaitedFor = once(events, "waited for");
  const first = database.transaction().execute(async (transaction) => {
    await sql`SELECT id FROM clips WHERE id = 1 FOR UPDATE`.execute(transaction);
    events.emit("held");
    await isWaitedFor;
    await goOn(transaction);
  });
  await isHeld;
  const second = other();
  await untilSomebodyWaits(database);
  events.emit("waited for");
  await Promise.all([first, second]);
}

test("An account is deleted while a clip that it likes is", async () => {
  const services = await likedClip();
  const { database } = services;
  const fan = (await summarizeAccount(services, "76561198000000002"))!;
  await crossed(
    database,
    () => deleteUser(services, fan),
    (transaction) => transaction.deleteFrom("clips").where("id", "=", 1).execute(),
  );
  expect(await database.selectFrom("likes").selectAll().execute()).toEqual([]);
  expect(await summarizeAccount(services, "76561198000000002")).toBeNull();
});

test("An account is deleted while an upload of its own ends: the file goes with it", async () => {
  const services = await likedClip();
  const { database, blobs } = services;
  const fan = (await summarizeAccount(services, "76561198000000002"))!;
  const file = join(services.scratchDirectory, "late.dem");
  await writeFile(file, "a demo");
  await blobs.putFile("uploads/late", file, "application/octet-stream");
  await crossed(
    database,
    () => deleteUser(services, fan),
    async (transaction) => {
      await sql`
        INSERT INTO matches (id, user_id, source, status, upload_key)
        VALUES ('late', 2, 'upload', 'queued', 'uploads/late')`.execute(transaction);
    },
  );
  expect(await database.selectFrom("matches").select("id").execute()).toEqual([{ id: "match" }]);
  expect(await blobs.stat("uploads/late")).toBeNull();
});

test("A match is deleted while a clip of it goes back among those that wait for room", async () => {
  const services = await likedClip();
  const { database } = services;
  await crossed(
    database,
    () => deleteMatch(services, 1, "match"),
    // As `startIfRoom` does.
    (transaction) => transaction.updateTable("automation_matches").set({ changed_at: services.now() }).execute(),
  );
  expect(await database.selectFrom("clips").selectAll().execute()).toEqual([]);
  expect(await database.selectFrom("automation_matches").select("state").execute()).toEqual([{ state: "done" }]);
});

test("A match is deleted while the highlights of its demo are scored anew, which ranks its clips anew", async () => {
  const services = await likedClip();
  const { database } = services;
  const sha256 = "a".repeat(64);
  await sql`
    INSERT INTO demos (sha256, map, game_mode, server_name, players, teams, timing, detector_version)
    VALUES (${sql.lit(sha256)}, 'de_nuke', 'Premier', '', '[{"name": "Nova", "steam_id": "76561198000000001", "team": 0}]', '[]',
      '{"tickRate": 64, "rounds": []}', 1);
    UPDATE matches SET demo_sha256 = ${sql.lit(sha256)} WHERE id = 'match';
    INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
    VALUES (${sql.lit(sha256)}, 'ace', 1, 0, 5, 100, '', 1, 2, '[]');
    INSERT INTO clip_highlights (clip_id, highlight_id, position) VALUES (1, 1, 0)`.execute(database);
  await crossed(
    database,
    // As a demo is detected anew.
    () =>
      database.transaction().execute(async (transaction) => {
        await lockClipsOf(transaction, sha256);
        await sql`SELECT sha256 FROM demos WHERE sha256 = ${sql.lit(sha256)} FOR UPDATE`.execute(transaction);
        await sql`UPDATE highlights SET score = 90`.execute(transaction);
      }),
    // As `deleteMatch` does.
    async (transaction) => {
      await transaction.deleteFrom("clips").where("id", "=", 1).execute();
      await transaction.deleteFrom("matches").where("id", "=", "match").execute();
    },
  );
  expect(await database.selectFrom("clips").selectAll().execute()).toEqual([]);
  expect(await database.selectFrom("highlights").select("score").execute()).toEqual([{ score: 90 }]);
});
