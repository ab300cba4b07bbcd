import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { ApiVisitor } from "./api-visitor.ts";
import { startHistoryProvider } from "./leetify-server.ts";
import { type SeededProduct, startSeededProduct } from "./seeded-product.ts";
import { addClip, addMatch, copyClips, copyDemo, copyMatches, spreadClips, userIdOf } from "./seeded-rows.ts";
import { uniqueSteamId } from "./unique.ts";

export const steamIds = {
  /** Has twelve matches and 25 clips, and played in the matches. */
  maker: "76561199999900009",
  /** Matches and clips in every state, and two recent matches. */
  busy: "76561199999900061",
  /** Three clips in the queue. */
  limited: "76561199999900062",
  /** Signed in, with nothing else. */
  newcomer: "76561199999900063",
  /** Has names that try to break out of the page. */
  hostile: "76561199999900064",
  /** The history provider refuses this player. */
  refused: "76561199999900065",
  /** May open /operator. */
  operator: "76561199999900066",
} as const;

export const hostileName = `</script><img src=x onerror="document.title='broken'">`;
/** A single word of the longest allowed length of a name. */
export const longName = "W".repeat(64);
export const failedClipError = "The renderer ran out of memory. Delete the clip and create it again.";
export const failedMatchError = "The demo could not be downloaded: the host answered 404.";

type Player = keyof typeof steamIds;

export interface PopulatedProduct extends SeededProduct {
  players: Record<Player, ApiVisitor>;
  /** The busy player's clips by state. */
  clips: Record<"completed" | "failed" | "queued" | "processing" | "pending" | "hostile", number>;
  /** Restores the initial state, with the first sessions of its players, for the next test file. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

const stages = [
  ["queued", 0],
  ["processing_demo", 0.02],
  ["downloading_demo", 0.2],
  ["extracting_demo", 0.4],
  ["parsing_demo", 0.6],
  ["analyzing_highlights", 0.9],
  ["updating_match_info", 0.95],
  ["loading_avatars", 0.98],
] as const;

/** A product with players in every state that pages can show. Match IDs: `busy`, `busy-STATUS`, `limited`, `hostile`. */
export async function startPopulatedProduct(): Promise<PopulatedProduct> {
  const history = await startHistoryProvider({
    [steamIds.busy]: [
      {
        id: "recent-one",
        map: "de_nuke",
        demoUrl: "https://demos.example/recent-one.dem.bz2",
        finishedAt: "2026-11-02T18:00:00.000Z",
        score: [13, 4],
      },
      {
        id: "recent-two",
        map: "de_train",
        demoUrl: "https://demos.example/recent-two.dem.bz2",
        finishedAt: "2026-11-01T18:00:00.000Z",
        score: [9, 13],
      },
    ],
    [steamIds.refused]: "refused",
  });
  const product = await startSeededProduct({
    environment: { HISTORY_PROVIDER: "leetify", LEETIFY_API_URL: history.url, OPERATOR_STEAM_IDS: steamIds.operator },
  });
  const { services, clipId, demoSha256 } = product;
  const { database } = services;

  const players = { maker: product.maker.visitor } as Record<Player, ApiVisitor>;
  for (const player of ["busy", "limited", "newcomer", "hostile", "refused", "operator"] as const) {
    players[player] = new ApiVisitor(product.url);
    await players[player].signIn(steamIds[player], player === "hostile" ? "hostile" : `Player ${player}`);
  }
  const idOf = (player: Player) => userIdOf(database, steamIds[player]);

  await copyClips(database, clipId, 24);
  const copies = await copyMatches(database, product.matchId, 11);
  await spreadClips(database, product.maker.userId, [product.matchId, ...copies]);

  const busy = await idOf("busy");
  await addMatch(database, { id: "busy", userId: busy, demoSha256, minutesAgo: 20 });
  const withoutHighlights = await copyDemo(database, demoSha256, "de_unheard_of", "without highlights");
  await database.deleteFrom("highlights").where("demo_sha256", "=", withoutHighlights).execute();
  await addMatch(database, { id: "busy-none", userId: busy, demoSha256: withoutHighlights, minutesAgo: 30 });
  await addMatch(database, {
    id: "busy-failed",
    userId: busy,
    status: "failed",
    error: failedMatchError,
    minutesAgo: 25,
  });
  for (const [index, [status, progress]] of stages.entries()) {
    const operation = status === "downloading_demo" ? "41 %" : "";
    await addMatch(database, { id: `busy-${status}`, userId: busy, status, progress, operation, minutesAgo: index });
  }
  const clip = { userId: busy, matchId: "busy" };
  const clips = {
    completed: await addClip(database, clipId, { ...clip, name: "Finished clip", minutesAgo: 5 }),
    failed: await addClip(database, clipId, {
      ...clip,
      name: "Broken clip",
      status: "failed",
      error: failedClipError,
      minutesAgo: 4,
    }),
    queued: await addClip(database, clipId, {
      ...clip,
      name: "Waiting clip",
      status: "queued",
      queueSlot: 1,
      minutesAgo: 3,
    }),
    processing: await addClip(database, clipId, {
      ...clip,
      name: "Rendering clip",
      status: "processing",
      queueSlot: 2,
      progress: 0.42,
      minutesAgo: 2,
    }),
    pending: await addClip(database, clipId, {
      ...clip,
      name: "Pending clip",
      status: "pending",
      queueSlot: 3,
      minutesAgo: 1,
    }),
    hostile: 0,
  };

  const limited = await idOf("limited");
  await addMatch(database, { id: "limited", userId: limited, demoSha256, minutesAgo: 60 });
  for (const queueSlot of [1, 2, 3]) {
    const name = `Queued ${queueSlot}`;
    await addClip(database, clipId, { userId: limited, matchId: "limited", name, status: "queued", queueSlot });
  }

  const hostile = await idOf("hostile");
  const hostileMap = await copyDemo(database, demoSha256, `de_${hostileName}`, "hostile map");
  await sql`
    UPDATE demos SET players = (
      SELECT jsonb_agg(player || jsonb_build_object('name', ${longName}::text)) FROM jsonb_array_elements(players::jsonb) player
    ) WHERE sha256 = ${hostileMap}`.execute(database);
  await addMatch(database, { id: "hostile", userId: hostile, demoSha256: hostileMap, minutesAgo: 60 });
  clips.hostile = await addClip(database, clipId, {
    userId: hostile,
    matchId: "hostile",
    name: `${hostileName} ${"W".repeat(140)}`,
    minutesAgo: 50,
  });
  await database
    .updateTable("users")
    .set({ steam_name: hostileName, avatar_url: `/favicon.svg?"); color: red; x: url("/favicon.svg` })
    .where("id", "=", hostile)
    .execute();

  await product.keep();
  const sessions = Object.entries(players).map(([player, { cookies }]) => [player, [...cookies]] as const);
  const populated: PopulatedProduct = Object.assign(product, {
    players,
    clips,
    async begin() {
      await product.restore();
      for (const [player, cookies] of sessions) players[player as Player] = new ApiVisitor(product.url, cookies);
      product.maker.visitor = players.maker;
    },
    close: closeBoth(product.close, history.close),
  });
  return populated;
}

/** Adds a completed match of a player, with its own copy of the seeded demo. */
export async function addCompletedMatch(
  { services: { database }, demoSha256 }: PopulatedProduct,
  player: Player,
): Promise<{ userId: number; matchId: string }> {
  const matchId = randomUUID().replaceAll("-", "").slice(0, 12);
  const userId = await userIdOf(database, steamIds[player]);
  const copy = await copyDemo(database, demoSha256, "de_dust2", matchId);
  await addMatch(database, { id: matchId, userId, demoSha256: copy, minutesAgo: 90 });
  return { userId, matchId };
}

/** A signed-in player without any data, whom no other test uses. */
export async function addPlayer({ url }: PopulatedProduct): Promise<ApiVisitor & { steamId: string }> {
  const steamId = uniqueSteamId();
  const visitor = new ApiVisitor(url);
  await visitor.signIn(steamId, "Player nobody");
  return Object.assign(visitor, { steamId });
}

const closeBoth = (first: () => Promise<void>, second: () => Promise<void>) => async () => {
  await first();
  await second();
};
