import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { diskUse } from "../../backend/accounts/disk-quota.ts";
import { userTotals } from "../../backend/storage/counts.ts";
import type { ClipsOverview } from "../../contract/schemas/clip-lists.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { giveMatch, storeReel } from "./stored-reel.ts";

const steamIds = ["76561199999980001", "76561199999980002"] as const;

interface Player {
  visitor: ApiVisitor;
  userId: number;
  matchId: string;
  highlightId: number;
}

let server: RunningApi;
let players: [Player, Player];

beforeAll(async () => {
  server = await startApi({ REQUESTS_PER_MINUTE: "100000", IMPORTS_PER_DAY: "1000" }, "postgres");
  const sha256 = await storeReel(server.services);
  const join = async (steamId: string): Promise<Player> => {
    const visitor = new ApiVisitor(server.url);
    await visitor.signIn(steamId, `player ${steamId.slice(-1)}`);
    const { id: userId } = await server.services.database
      .selectFrom("users")
      .select("id")
      .where("steam_id", "=", steamId)
      .executeTakeFirstOrThrow();
    const matchId = await giveMatch(server.services, steamId, sha256);
    const { highlights } = await visitor.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
    return { visitor, userId, matchId, highlightId: highlights[0]!.id };
  };
  players = [await join(steamIds[0]), await join(steamIds[1])];
});
afterAll(() => server.close());
beforeEach(async () => {
  server.services.config.USER_DISK_BYTES = undefined;
  await server.services.database.deleteFrom("clips").execute();
});

const create = ({ visitor, matchId, highlightId }: Player, more: object = {}) =>
  visitor.request("POST", `/api/matches/${matchId}/clips/create/`, { name: "", highlight_ids: [highlightId], ...more });

/** A clip whose video takes so much. */
async function finishedClip(player: Player, bytes: number): Promise<number> {
  const { id } = (await (await create(player)).json()) as { id: number };
  await server.services.database
    .updateTable("clips")
    .set({
      status: "completed",
      queue_slot: null,
      video_key: `clips/${id}/video-a.mp4`,
      poster_key: `clips/${id}/poster-a.jpg`,
      thumbnail_key: `clips/${id}/thumbnail-a.jpg`,
      video_bytes: bytes,
      duration_seconds: 10,
    })
    .where("id", "=", id)
    .execute();
  return id;
}

const storageOf = async ({ visitor }: Player) =>
  (await visitor.call<ClipsOverview>("GET", "/api/matches/clips/")).storage;

test("Without a limit nothing is counted out to anybody", async () => {
  expect((await create(players[0])).status).toBe(201);
  expect(await storageOf(players[0])).toBeUndefined();
});

test("Of clips that two players create at once each gets as many as they have room for", async () => {
  const { services } = server;
  await create(players[0]);
  const { expected_bytes: expected } = await services.database
    .selectFrom("clips")
    .select("expected_bytes")
    .executeTakeFirstOrThrow();
  await services.database.deleteFrom("clips").execute();
  expect(expected).toBeGreaterThan(500_000);
  const { bytes: tracks } = await userTotals(services.database, players[0].userId);
  expect(tracks).toBeGreaterThan(0);
  services.config.USER_DISK_BYTES = tracks + 2 * expected!;
  const asked = [0, 1, 2, 3].flatMap(() => players.map(async (player) => ({ player, answer: await create(player) })));
  const answers = await Promise.all(asked);
  for (const player of players) {
    const own = answers.filter((each) => each.player === player).map(({ answer }) => answer);
    expect(own.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    for (const refused of own.filter(({ status }) => status === 409)) {
      expect(await refused.json()).toEqual({
        error: "disk_quota",
        detail: expect.stringMatching(
          /^Your storage is full: .+ of .+ are used\. Delete clips on My Clips, or matches, to make room\.$/,
        ),
      });
    }
    expect(await storageOf(player)).toEqual({
      used_bytes: tracks + 2 * expected!,
      quota_bytes: tracks + 2 * expected!,
    });
  }
});

test("A full storage refuses clips, formats, compilations, imports and uploads, until something is deleted", async () => {
  const [player, other] = players;
  const { services } = server;
  const clips = [await finishedClip(player, 30_000_000), await finishedClip(player, 40_000_000)];
  const { bytes } = await userTotals(services.database, player.userId);
  services.config.USER_DISK_BYTES = bytes;
  const form = new FormData();
  form.set("demo_file", new Blob(["PBDEMS2"]), "demo.dem");
  const upload = () =>
    fetch(`${server.url}/api/matches/upload-file/`, {
      method: "POST",
      body: form,
      headers: {
        Cookie: player.visitor.cookieHeader,
        "X-XSRF-TOKEN": decodeURIComponent(player.visitor.cookies.get("XSRF-TOKEN") ?? ""),
      },
    });
  const demo = { demo_url: "https://demos.example/another.dem" };
  const asked: [string, () => Promise<Response>, number][] = [
    ["clip", () => create(player), 201],
    [
      "format",
      () => player.visitor.request("POST", `/api/matches/clips/${clips[1]}/formats/`, { format: "vertical" }),
      201,
    ],
    ["import", () => player.visitor.request("POST", "/api/matches/upload-demo/", demo), 201],
    ["upload", upload, 201],
  ];
  for (const [what, ask] of asked) {
    const answer = await ask();
    expect([what, answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
      what,
      409,
      "disk_quota",
    ]);
  }
  const joined = await player.visitor.request("POST", "/api/matches/clips/compilations/", { clip_ids: clips });
  expect(await joined.json()).toMatchObject({ error: "disk_quota" });
  // The other one has the same demo, and room.
  expect((await create(other)).status).toBe(201);
  const left = await services.database.selectFrom("clips").select("id").where("user_id", "=", player.userId).execute();
  expect(left.map(({ id }) => id).sort()).toEqual([...clips].sort());
  expect(await services.database.selectFrom("clip_formats").selectAll().execute()).toEqual([]);

  await player.visitor.request("DELETE", `/api/matches/clips/${clips[0]}/delete/`);
  expect(await storageOf(player)).toEqual({ used_bytes: bytes - 30_000_000, quota_bytes: bytes });
  services.config.USER_DISK_BYTES = bytes + 100_000_000;
  for (const [what, ask, status] of asked) expect([what, (await ask()).status]).toEqual([what, status]);
  // An upload counts while it waits, what is queued as what it is expected to take.
  const use = await diskUse(services, player.userId);
  expect(use!.usedBytes).toBeGreaterThan(bytes - 30_000_000 + 7 + 1_000_000);
});

test("What a demo takes is right after matches of it came and went while it changed", async () => {
  const { services } = server;
  const { database } = services;
  const { demo_sha256: sha256 } = await database
    .selectFrom("matches")
    .select("demo_sha256")
    .where("id", "=", players[0].matchId)
    .executeTakeFirstOrThrow();
  const change = (n: number) =>
    database
      .updateTable("demos")
      .set({ track_bytes: n * 1000, file_bytes: n % 2 === 0 ? null : n })
      .where("sha256", "=", sha256)
      .execute();
  const comeAndGo = async ({ matchId }: Player, n: number) => {
    await database.updateTable("matches").set({ demo_sha256: null }).where("id", "=", matchId).execute();
    if (n % 3 !== 0)
      await database.updateTable("matches").set({ demo_sha256: sha256 }).where("id", "=", matchId).execute();
  };
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? change(n) : comeAndGo(players[n % 4 === 1 ? 0 : 1], n))),
  );
  for (const { userId, matchId } of players) {
    const row = await database
      .selectFrom("matches")
      .leftJoin("demos", "demos.sha256", "matches.demo_sha256")
      .select(["track_bytes", "file_bytes"])
      .where("matches.id", "=", matchId)
      .executeTakeFirstOrThrow();
    const uploads = await database
      .selectFrom("matches")
      .select("upload_bytes")
      .where("user_id", "=", userId)
      .where("upload_key", "is not", null)
      .execute();
    const expected =
      (row.track_bytes ?? 0) + (row.file_bytes ?? 0) + uploads.reduce((sum, one) => sum + (one.upload_bytes ?? 0), 0);
    expect((await userTotals(database, userId)).bytes).toBe(expected);
  }
});
