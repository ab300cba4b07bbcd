import { sql } from "kysely";
import { startSeededProduct as startSeeded } from "../../tests/services/seeded-product.ts";
import { copyClips, copyMatches, spreadClips } from "../../tests/services/seeded-rows.ts";
import { bareBuild } from "./bare-build.ts";

export interface SeededProduct {
  url: string;
  /** The same server code around a Remix build with one empty route. */
  bareUrl: string;
  /** Cookie header of the player whose clips these are. */
  cookie: string;
  steamId: string;
  matchId: string;
  clipId: number;
  close(): Promise<void>;
}

const clipsPerPlayer = 20;

/** Leaves the player one in `players + 1` clips and gives the rest to other players, each with the same match. */
async function handOutClips(database: Parameters<typeof copyClips>[0], clipId: number, players: number): Promise<void> {
  await sql`
    INSERT INTO users (steam_id, steam_name)
    SELECT (76561199999800000 + n)::text, 'Player ' || n FROM generate_series(1, ${players}::int) n`.execute(database);
  await sql`
    INSERT INTO matches (id, user_id, demo_sha256, demo_url, source, status, progress, created_at, completed_at)
    SELECT 'player' || u.id, u.id, m.demo_sha256, m.demo_url, m.source, m.status, 1, m.created_at, m.completed_at
    FROM users u, matches m JOIN clips c ON c.match_id = m.id AND c.id = ${clipId}
    WHERE u.steam_name LIKE 'Player %'`.execute(database);
  await sql`
    UPDATE clips c SET user_id = m.user_id, match_id = m.id
    FROM (SELECT user_id, id, row_number() OVER (ORDER BY user_id) AS place FROM matches WHERE id LIKE 'player%') m
    WHERE m.place = c.id % ${players + 1}::int AND c.id <> ${clipId}`.execute(database);
}

/** A product with `clips` completed clips in its database, all showing one really rendered video, and nine matches. */
export async function startSeededProduct({ clips }: { clips: number }): Promise<SeededProduct> {
  const product = await startSeeded({
    demo: "match-de_mirage.dem.bz2",
    maker: { steamId: "76561199999900040", name: "Bench" },
    withPictures: true,
  });
  const { url, maker, matchId, clipId, close } = product;
  const { database } = product.services;
  await copyClips(database, clipId, clips - 1);
  const copies = await copyMatches(database, matchId, 8);
  const { rows } = await sql<{ id: number }>`SELECT id FROM users WHERE steam_id = ${maker.steamId}`.execute(database);
  await handOutClips(database, clipId, Math.ceil(clips / clipsPerPlayer) - 1);
  await spreadClips(database, Number(rows[0]?.id), [matchId, ...copies]);
  await sql`ANALYZE`.execute(database);
  return {
    url,
    bareUrl: await product.serveBeside(bareBuild(product.build)),
    cookie: [...maker.visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    steamId: maker.steamId,
    matchId,
    clipId,
    close,
  };
}
