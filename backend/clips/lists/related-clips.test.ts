import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { stoppedClock } from "../../../tests/services/stopped-clock.ts";
import type { Services } from "../../services.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { setVisibility } from "../clip-link.ts";
import { relatedClips } from "./related-clips.ts";

let services: Services;

beforeEach(async () => {
  const fresh = await freshServices();
  services = fresh.services;
  await sql`
    INSERT INTO users (steam_id, steam_name)
    SELECT (76561198000000000 + n)::text, 'Player ' || n FROM generate_series(1, 3) AS n;
    INSERT INTO demos (sha256, map, game_mode, server_name, players, teams, timing, detector_version)
    VALUES (repeat('a', 64), 'de_nuke', 'Premier', 's', '[]', '[]', '{"tickRate": 64, "rounds": []}', 1);
    INSERT INTO matches (id, user_id, demo_sha256, source, status)
    SELECT 'm' || n, n, repeat('a', 64), 'upload', 'completed' FROM generate_series(1, 3) AS n`.execute(
    services.database,
  );
  return fresh.remove;
});

/** Clips of a player on Nuke, each viewed once more often than the one before. @returns their numbers, the most viewed first */
async function addClips(count: number, { of: player, views = 0 }: { of: number; views?: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key,
      views_count, found_by)
    SELECT ${player}::int, 'm' || ${player}::int, repeat('a', 64), 'clip', '{"width": 1280, "height": 720}', '{}', 'completed', 'v', 'p', 't',
      ${views}::int + n, '{map:de_nuke}'
    FROM generate_series(1, ${count}::int) AS n RETURNING id`.execute(services.database);
  return rows.map(({ id }) => id).reverse();
}

async function onMap(clipId: number): Promise<number[]> {
  const related = await relatedClips(services, clipId, null);
  return related?.of_map.map(({ id }) => id) ?? [];
}

test("A new clip of a map with few is shown within about a second", async () => {
  const pass = stoppedClock();
  const [watched] = await addClips(1, { of: 1 });
  expect(await onMap(watched!)).toEqual([]);
  const others = await addClips(3, { of: 2 });
  pass(1001);
  expect(await onMap(watched!)).toEqual(others);
});

test("On a map with many nobody waits for a new order, and what is gone or unlisted is not shown meanwhile", async () => {
  const pass = stoppedClock();
  const [watched] = await addClips(1, { of: 1 });
  const others = await addClips(250, { of: 2 });
  expect(await onMap(watched!)).toEqual(others.slice(0, 6));
  await setVisibility(services, 2, others[0]!, "unlisted");
  await services.database.deleteFrom("clips").where("id", "=", others[1]!).execute();
  expect(await onMap(watched!)).toEqual(others.slice(2, 8));

  const [best] = await addClips(1, { of: 3, views: 9000 });
  expect(await onMap(watched!)).toEqual(others.slice(2, 8));
  pass(60_001);
  expect(await onMap(watched!)).toEqual(others.slice(2, 8));
  pass(1001);
  await expect.poll(() => onMap(watched!)).toEqual([best, ...others.slice(2, 7)]);
});

test("Where one player has the most viewed of a map, their own clips lead to those of others all the same", async () => {
  const others = await addClips(3, { of: 2 });
  const own = await addClips(250, { of: 1, views: 1000 });
  expect(await onMap(own[0]!)).toEqual(others);
});
