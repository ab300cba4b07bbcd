import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { detectHighlights } from "../highlights/index.ts";
import { MatchBuilder } from "../highlights/testing/round-builder.ts";
import { replaceHighlights } from "../matches/replace-highlights.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { makeDueClips } from "./make-clips.ts";

/** More players than are looked at in one turn, whose matches all wait for room of the next day. */
const waiting = 230;

const record = new MatchBuilder()
  .round({ winner: "a" }, (round) => round.kill(20, "a1", "b1", { weapon: "knife" }))
  .build();

test("Matches that wait for room, however many, keep no other player's from their turn", async () => {
  const { services, remove } = await freshServices("embedded");
  onTestFinished(remove);
  const { database } = services;
  await sql`
    INSERT INTO users (steam_id, steam_name)
    SELECT (76561199900000000 + n)::text, 'player ' || n FROM generate_series(1, ${waiting + 1}::int) n`.execute(
    database,
  );
  await sql`
    INSERT INTO automation (user_id, is_on, choice, min_score, players, settings, clips_per_day, since, next_look_at)
    SELECT id, true, 'best', 60, 'me', '{}', 1, now() - interval '9 days', now() + interval '1 hour' FROM users`.execute(
    database,
  );
  await sql`
    INSERT INTO matches (id, user_id, source, status, demo_sha256)
    SELECT 'match' || id, id, 'upload', 'completed', NULL FROM users`.execute(database);
  await sql`
    INSERT INTO automation_matches (user_id, provider_id, match_id, state, found_at, changed_at)
    SELECT id, 'found', 'match' || id, 'making', now() - interval '2 hours', now() FROM users`.execute(database);
  // Of all but the last the clip cannot be made for now: its match is being imported again.
  await sql`
    INSERT INTO demos (sha256, map, game_mode, server_name, players, teams, timing, detector_version)
    VALUES (repeat('a', 64), 'de_nuke', '', '', '[]', '[]', '{}', 1)`.execute(database);
  await database
    .transaction()
    .execute((transaction) => replaceHighlights(transaction, "a".repeat(64), detectHighlights(record)));
  await sql`UPDATE matches SET status = 'queued' WHERE user_id <= ${waiting}`.execute(database);
  await sql`
    INSERT INTO automation_clips (user_id, provider_id, highlight_id, place, wanted_at)
    SELECT users.id, 'found', (SELECT min(id) FROM highlights), 0, now() FROM users WHERE users.id <= ${waiting}`.execute(
    database,
  );
  const stateOfLast = async () =>
    (
      await database
        .selectFrom("automation_matches")
        .select("state")
        .where("user_id", "=", waiting + 1)
        .executeTakeFirstOrThrow()
    ).state;
  await makeDueClips(services);
  expect(await stateOfLast()).toBe("making");
  await makeDueClips(services);
  // Nothing is wanted of it any more.
  expect(await stateOfLast()).toBe("done");
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM automation_matches WHERE state = 'making'`.execute(database);
  expect(rows).toEqual([{ count: waiting }]);
});
