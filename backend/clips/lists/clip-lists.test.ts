import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { loadClips } from "../load-clips.ts";
import { ownClips, publicClips } from "./clip-lists.ts";

test("Of a group the newest three hundred clips are listed, to others as to the player, and no other group is the shorter for it", async () => {
  const { services, remove } = await freshServices("postgres");
  onTestFinished(remove);
  const { database } = services;
  const spec = JSON.stringify({ width: 1280, height: 720, framesPerSecond: 60 });
  await sql`INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'Nova')`.execute(database);
  await sql`INSERT INTO matches (id, user_id, source, status) VALUES ('match', 1, 'upload', 'completed')`.execute(
    database,
  );
  await sql`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key, created_at)
    SELECT 1, CASE WHEN n <= 2 THEN 'match' END, CASE WHEN n <= 2 THEN repeat('a', 64) END, '', ${spec}::jsonb, '{}',
      'completed', 'v', 'p', 't', now() + n * interval '1 second'
    FROM generate_series(1, 312) n`.execute(database);
  const page = { limit: 5, offset: 0, path: "/" };
  for (const { results } of [
    await ownClips(services, 1, page),
    (await publicClips(services, "76561198000000001", null, page))!,
  ]) {
    expect(results.map(({ match_id, clips }) => [match_id, clips.length])).toEqual([
      [null, 300],
      ["match", 2],
    ]);
    const [compilations] = results;
    expect([compilations?.clips[0]?.id, compilations?.clips.at(-1)?.id]).toEqual([312, 13]);
  }
  // More than a statement has parameters.
  expect(await loadClips(services, [5, ...Array.from({ length: 70_000 }, (_, index) => 1000 + index)])).toHaveLength(1);
});
