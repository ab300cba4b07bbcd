import { strFromU8, unzipSync } from "fflate";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copiedTables, leftOut } from "../../backend/library/account-data.ts";
import { runForgetJob } from "../../backend/library/delete-user.ts";
import type { Database } from "../../backend/storage/schema.ts";
import type { OwnSession } from "../../contract/schemas/accounts.ts";
import type { Clip, ClipDetail } from "../../contract/schemas/clips.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { MatchRounds } from "../../contract/schemas/match-rounds.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { tokenOf } from "../services/token-calls.ts";
import { uniqueSteamId } from "../services/unique.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

let server: RunningApi;
let demoSha256: string;
/** Of a script's webhook; nothing is sent. */
const scriptHost = "127.0.0.1:9";

beforeAll(async () => {
  server = await startApi({
    WEBHOOK_ALLOW_HOSTS: scriptHost,
    HISTORY_PROVIDER: "leetify",
    // Nobody is asked: no worker runs.
    LEETIFY_API_URL: `http://${scriptHost}`,
  });
  demoSha256 = await storeReel(server.services, { hasTrack: true });
});
afterAll(() => server.close());

async function signedIn(steamId: string): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(server.url);
  await visitor.signIn(steamId, "quietOtter");
  return visitor;
}

const sessionsOf = async (visitor: ApiVisitor) =>
  (await visitor.call<{ results: OwnSession[] }>("GET", "/api/account/sessions/")).results;

/** A player with a finished clip of their own match, whose video is `video`. */
async function playerWithClip(steamId: string, video: string): Promise<{ visitor: ApiVisitor; clip: Clip }> {
  const visitor = await signedIn(steamId);
  const matchId = await giveMatch(server.services, steamId, demoSha256);
  const match = await visitor.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const clip = await visitor.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
    name: "Ace / of the day",
    highlight_ids: [match.highlights[0]?.id],
  });
  await finishClip(server.services, clip.id, video);
  return { visitor, clip };
}

test("A player sees where they are signed in, and signs out one device and no other", async () => {
  const steamId = uniqueSteamId();
  const [here, phone] = [await signedIn(steamId), await signedIn(steamId)];
  const somebody = await signedIn(uniqueSteamId());
  const sessions = await sessionsOf(here);
  expect(sessions).toHaveLength(2);
  expect(sessions.map((session) => session.device)).toEqual(["Firefox on Linux", "Firefox on Linux"]);
  expect(sessions.filter((session) => session.is_current)).toHaveLength(1);
  const other = sessions.find((session) => !session.is_current)?.id ?? "";
  // What names a session opens none, and another player's is not there.
  expect(
    (await fetch(`${server.url}/api/account/sessions/`, { headers: { Authorization: `Bearer ${other}` } })).status,
  ).toBe(401);
  expect((await somebody.request("DELETE", `/api/account/sessions/${other}/`)).status).toBe(404);
  expect(await sessionsOf(phone)).toHaveLength(2);

  expect((await here.request("DELETE", `/api/account/sessions/${other}/`)).status).toBe(204);
  expect((await here.request("DELETE", `/api/account/sessions/${other}/`)).status).toBe(404);
  expect((await phone.request("GET", "/api/account/sessions/")).status).toBe(401);
  expect(await sessionsOf(here)).toHaveLength(1);
});

test("The copy of a player's data holds their rows and files, nobody else's, and no secret", async () => {
  const steamId = uniqueSteamId();
  const { visitor, clip } = await playerWithClip(steamId, "the bytes of the video");
  const { clip: others } = await playerWithClip(uniqueSteamId(), "somebody else's");
  await visitor.call("POST", `/api/matches/clips/${others.id}/like/`);
  const { token } = await tokenOf(visitor, ["read"], { name: "my script" });
  const { secret } = await visitor.call<{ secret: string }>("POST", "/api/webhooks/", {
    url: `http://${scriptHost}/hook`,
    events: ["clip.ready"],
  });
  const response = await visitor.request("GET", "/api/account/data/");
  expect(response.headers.get("content-type")).toBe("application/zip");
  expect(response.headers.get("content-disposition")).toContain(`clutchcast-${steamId}.zip`);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  expect(strFromU8(files[`clips/${clip.id}/Ace - of the day.mp4`] ?? new Uint8Array())).toBe("the bytes of the video");
  expect(Object.keys(files).filter((name) => name.startsWith(`clips/${others.id}/`))).toEqual([]);

  const text = strFromU8(files["data.json"] ?? new Uint8Array());
  const data = JSON.parse(text);
  expect(data.account).toMatchObject({ steam_id: steamId, steam_name: "quietOtter" });
  expect(data.clips).toMatchObject([{ id: clip.id, name: "Ace / of the day", status: "completed" }]);
  expect(data.likes).toMatchObject([{ clip_id: others.id }]);
  expect(data.matches).toHaveLength(1);
  expect(data.sessions).toMatchObject([{ device: "Firefox on Linux" }]);
  expect(data.access_tokens).toMatchObject([{ name: "my script", scopes: "read" }]);
  expect(data.webhooks).toMatchObject([{ kind: "script", url: `http://${scriptHost}/hook` }]);
  expect(text).not.toMatch(/id_hash|token_hash|"secret"|whsec_|somebody else/);
  // What stands for a secret is told neither, under whatever name.
  const { database } = server.services;
  const { token_hash } = await database
    .selectFrom("access_tokens")
    .select("token_hash")
    .where("name", "=", "my script")
    .executeTakeFirstOrThrow();
  const session = visitor.cookies.get("clutchcast_session") ?? "";
  for (const kept of [token, token_hash, secret.slice("whsec_".length), session]) {
    expect(kept.length).toBeGreaterThan(20);
    expect(text).not.toContain(kept);
  }
});

async function copyOf(visitor: ApiVisitor): Promise<{ data: CopiedData; text: string }> {
  const files = unzipSync(new Uint8Array(await (await visitor.request("GET", "/api/account/data/")).arrayBuffer()));
  const text = strFromU8(files["data.json"] ?? new Uint8Array());
  return { data: JSON.parse(text), text };
}

interface CopiedHighlight {
  id: number;
  player: number;
  player_name: string;
  name: string | null;
  is_yours: boolean;
  is_marked_by_you: boolean;
}

interface CopiedClip {
  id: number;
  match_id: string | null;
  name: string;
  spec: { segments: object[]; height: number };
  settings: object;
  highlights: CopiedHighlight[];
  parts: { position: number; part_id: number | null; name: string; duration_seconds: number }[];
}

/** What the tests read of `data.json`. */
interface CopiedData {
  marked_moments: { id: number; name: string; is_listed: boolean }[];
  matches: { id: string; demo: object | null; highlights: CopiedHighlight[] }[];
  clips: CopiedClip[];
}

test("A clip of two highlights and a compilation can be made again of what the copy says of them", async () => {
  const { database } = server.services;
  const { visitor, clip: single } = await playerWithClip(uniqueSteamId(), "first");
  const matchId = single.match_id ?? "";
  const { highlights } = await visitor.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const chosen = [highlights[2]?.id ?? 0, highlights[1]?.id ?? 0];
  const settings = { xray: true, pre_time_adjustment: 1 };
  const create = (body: object) => visitor.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, body);
  const join = (ids: readonly unknown[]) =>
    visitor.call<Clip>("POST", "/api/matches/clips/compilations/", { clip_ids: ids, name: "Both" });
  const double = await create({ name: "Two", highlight_ids: chosen, format: "720p", render_settings: settings });
  await finishClip(server.services, double.id, "second");
  // Parts have one format; the first clip has that of the installation.
  const other = await create({ name: "One", highlight_ids: [highlights[0]?.id], format: "720p" });
  await finishClip(server.services, other.id, "third");
  const compilation = await join([double.id, other.id]);
  await finishClip(server.services, compilation.id, "joint");

  const { data } = await copyOf(visitor);
  const copied = (id: number, from = data) => from.clips.find((clip) => clip.id === id) as CopiedClip;
  expect(data.clips.map(({ id }) => id)).toEqual([single.id, double.id, other.id, compilation.id]);
  const two = copied(double.id);
  const stored = await database.selectFrom("highlights").selectAll().where("id", "in", chosen).execute();
  expect(two.highlights).toMatchObject(
    chosen.map((id, position) => {
      const { type, round, player, start_tick, end_tick, moments } = stored.find((row) => row.id === id) ?? {};
      return { id, position, type, round, player, start_tick, end_tick, moments };
    }),
  );
  expect(copied(compilation.id)).toMatchObject({
    match_id: null,
    parts: [
      { position: 0, part_id: double.id, name: "Two", duration_seconds: 8 },
      { position: 1, part_id: other.id, name: "One", duration_seconds: 8 },
    ],
  });

  // Of the copy alone.
  const again = await visitor.call<Clip>("POST", `/api/matches/${two.match_id}/clips/create/`, {
    name: two.name,
    highlight_ids: two.highlights.map(({ id }) => id),
    format: `${two.spec.height}p`,
    render_settings: two.settings,
  });
  const joined = await join(copied(compilation.id).parts.map((part) => part.part_id));
  const { data: later } = await copyOf(visitor);
  expect(two.spec.segments).not.toEqual([]);
  expect(copied(again.id, later).spec).toEqual(two.spec);
  expect(copied(again.id, later).highlights).toEqual(two.highlights);
  const partsOf = (id: number) =>
    copied(id, later).parts.map((part) => [part.position, part.part_id, part.name, part.duration_seconds]);
  expect(partsOf(joined.id)).toEqual(partsOf(compilation.id));
});

test("A match in the copy has what its demo tells of the account, and of other players nothing but whom a clip follows", async () => {
  const { database } = server.services;
  const demo = await database
    .selectFrom("demos")
    .selectAll()
    .where("sha256", "=", demoSha256)
    .executeTakeFirstOrThrow();
  const all = await database.selectFrom("highlights").selectAll().where("demo_sha256", "=", demoSha256).execute();
  const place = demo.players.findIndex((line, player) => line.steam_id && all.some((row) => row.player === player));
  const line = demo.players[place];
  const { visitor } = await playerWithClip(line?.steam_id ?? "", "own");
  const { data, text } = await copyOf(visitor);
  expect(data.matches[0]?.demo).toMatchObject({
    ...{ sha256: demoSha256, map: demo.map, game_mode: demo.game_mode, server_name: demo.server_name },
    ...{ teams: demo.teams, ticks_per_second: demo.timing.tickRate, replay_is_kept: true, file_is_kept: false },
    own_lines: [{ player: place, ...line }],
  });
  const own = all.filter(({ player }) => player === place).map(({ id }) => id);
  expect(data.matches[0]?.highlights.map(({ id }) => id).sort()).toEqual(own.sort());
  expect(data.matches[0]?.highlights.every(({ is_yours, player_name }) => is_yours && player_name === line?.name)).toBe(
    true,
  );
  const followed = data.clips.flatMap(({ highlights }) => highlights.map(({ player }) => player));
  for (const [player, { name, steam_id }] of demo.players.entries()) {
    if (player === place) continue;
    if (!followed.includes(player)) expect(text).not.toContain(JSON.stringify(name));
    if (steam_id) expect(text).not.toContain(steam_id);
  }
});

test("A copy of more clips than are read at a time has every one once", async () => {
  const { database } = server.services;
  const { visitor, clip } = await playerWithClip(uniqueSteamId(), "many");
  const { id: _, ...row } = await database
    .selectFrom("clips")
    .selectAll()
    .where("id", "=", clip.id)
    .executeTakeFirstOrThrow();
  const [spec, settings] = [JSON.stringify(row.spec), JSON.stringify(row.settings)];
  const values = Array.from({ length: 200 }, () => ({ ...row, spec, settings, moments: null, video_key: "gone" }));
  await database.insertInto("clips").values(values).execute();
  const { data } = await copyOf(visitor);
  expect(new Set(data.clips.map(({ id }) => id)).size).toBe(201);
  expect(data.clips).toHaveLength(201);
});

test("A file that is deleted while the copy is made is left out, and the rest arrives", async () => {
  const { visitor, clip } = await playerWithClip(uniqueSteamId(), "gone");
  await server.services.blobs.delete(`clips/${clip.id}/video-abcd1234.mp4`);
  const files = unzipSync(new Uint8Array(await (await visitor.request("GET", "/api/account/data/")).arrayBuffer()));
  const names = Object.keys(files).filter((name) => name !== "data.json");
  const left = ["Ace - of the day.jpg", "loop.mp4", "thumbnail.jpg", "wide-poster.jpg"];
  expect(names.sort()).toEqual(left.map((name) => `clips/${clip.id}/${name}`));
});

test("Copies are ten a day, and a look at what one would be is none", async () => {
  const visitor = await signedIn(uniqueSteamId());
  const look = async () => {
    const { status, headers } = await visitor.request("HEAD", "/api/account/data/");
    return { status, type: headers.get("content-type"), hasName: headers.has("content-disposition") };
  };
  const statuses: number[] = [];
  for (let times = 0; times < 11; times++) {
    expect(await look()).toMatchObject(
      times < 10 ? { status: 200, type: "application/zip", hasName: true } : { status: 429, hasName: false },
    );
    const response = await visitor.request("GET", "/api/account/data/");
    await response.body?.cancel();
    statuses.push(response.status);
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

test("Who deletes their account and signs in again has no new copies that day", async () => {
  const { database } = server.services;
  const steamId = uniqueSteamId();
  const visitor = await signedIn(steamId);
  for (let times = 0; times < 10; times++) {
    await (await visitor.request("GET", "/api/account/data/")).body?.cancel();
  }
  const user = database.selectFrom("users").select("id").where("steam_id", "=", steamId);
  const { id: userId } = await user.executeTakeFirstOrThrow();
  expect((await visitor.request("POST", "/api/account/delete/", { steam_id: steamId })).status).toBe(200);
  await runForgetJob(server.services, { userId });
  expect(await user.execute()).toEqual([]);
  expect((await (await signedIn(steamId)).request("HEAD", "/api/account/data/")).status).toBe(429);
});

/** Tables with a column `user_id`, and those whose references lead to users over whatever other tables: their matches, their clips. */
async function tablesOfUsers(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    WITH RECURSIVE reached (relation) AS (
      SELECT 'users'::regclass::oid
      UNION
      SELECT conrelid FROM pg_constraint JOIN reached ON confrelid = relation WHERE contype = 'f'
    )
    SELECT relname::text AS name FROM reached JOIN pg_class ON oid = relation WHERE relname <> 'users'
    UNION
    SELECT table_name::text FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'user_id'
  `.execute(database);
  return rows.map(({ name }) => name).sort();
}

test("Every table that leads to a player, over their matches and clips too, is in the copy, or it is said why not", async () => {
  const { database } = server.services;
  const told = [...copiedTables, ...Object.keys(leftOut)].sort();
  expect(await tablesOfUsers(database)).toEqual(told);

  // A table that comes later is noticed, however far it is from its user.
  const undone = new Error("undone");
  const trial = database.transaction().execute(async (transaction) => {
    await sql`CREATE TABLE clip_notes (id bigint PRIMARY KEY, clip bigint REFERENCES clips)`.execute(transaction);
    await sql`CREATE TABLE match_notes (match text REFERENCES matches)`.execute(transaction);
    await sql`CREATE TABLE note_words (note bigint REFERENCES clip_notes)`.execute(transaction);
    expect(await tablesOfUsers(transaction)).toEqual([...told, "clip_notes", "match_notes", "note_words"].sort());
    throw undone;
  });
  await expect(trial).rejects.toBe(undone);
});

test("An account is deleted by its owner: signed out everywhere at once, then everything goes, and nobody else's", async () => {
  const { database, blobs } = server.services;
  const steamId = uniqueSteamId();
  const { visitor, clip } = await playerWithClip(steamId, "to be deleted");
  const elsewhere = await signedIn(steamId);
  const { visitor: somebody, clip: kept } = await playerWithClip(uniqueSteamId(), "to be kept");
  const ask = (id: string) => visitor.request("POST", "/api/account/delete/", { steam_id: id });
  for (const each of [visitor, somebody]) {
    const chosen = { choice: "best", players: "me", clips_per_day: 3 };
    expect((await each.request("POST", "/api/automation/", chosen)).status).toBe(200);
    const hook = { url: `http://${scriptHost}/hook`, events: ["clip.ready"] };
    expect((await each.request("POST", "/api/webhooks/", hook)).status).toBe(201);
  }
  expect((await ask("76561199999999999")).status).toBe(400);
  expect((await ask("me")).status).toBe(400);
  expect(await sessionsOf(visitor)).toHaveLength(2);

  const { id: userId } = await database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", steamId)
    .executeTakeFirstOrThrow();
  expect((await ask(steamId)).status).toBe(200);
  expect(visitor.cookies.size).toBe(0);
  expect((await elsewhere.request("GET", "/api/account/sessions/")).status).toBe(401);
  expect(await server.services.jobs.isOpen("forget", { userId })).toBe(true);
  // Nothing is made or sent any more, whenever the job comes.
  for (const table of ["automation", "webhooks"] as const) {
    const owners = (await database.selectFrom(table).select("user_id").execute()).map(({ user_id }) => user_id);
    expect(owners).not.toContain(userId);
    expect(owners.length).toBeGreaterThan(0);
  }

  // As the worker does it; the second time is that of a job that ran again.
  for (const _ of [1, 2]) await runForgetJob(server.services, { userId });
  expect((await somebody.request("GET", `/api/matches/clips/${clip.id}/`)).status).toBe(404);
  expect(await blobs.stat(`clips/${clip.id}/video-abcd1234.mp4`)).toBeNull();
  expect((await somebody.request("GET", `/api/matches/clips/${kept.id}/`)).status).toBe(200);
  const left = await database.selectFrom("users").select("id").where("steam_id", "=", steamId).execute();
  expect(left).toEqual([]);
});

test("Moments that a player marked are in their copy and go with the account; a friend's clip of one stays, without its name", async () => {
  const { database } = server.services;
  const steamId = uniqueSteamId();
  const friendsSteamId = uniqueSteamId();
  const [leaver, friend] = [await signedIn(steamId), await signedIn(friendsSteamId)];
  const matchId = await giveMatch(server.services, steamId, demoSha256);
  const friendsMatchId = await giveMatch(server.services, friendsSteamId, demoSha256);
  const { players } = await leaver.call<MatchRounds>("GET", `/api/matches/${matchId}/rounds/`);
  const player = players.findIndex(({ steam_id, team }) => steam_id !== null && team !== null);
  const mark = (name: string) =>
    leaver.call<Highlight>("POST", `/api/matches/${matchId}/highlights/`, { round: 2, player, from: 1, to: 9, name });
  const [unused, own, shown] = [
    await mark("In no clip"),
    await mark("In my own clip"),
    await mark("In a friend's clip"),
  ];
  const clipOf = async (visitor: ApiVisitor, match: string, { id }: Highlight) => {
    const body = { name: "A moment", highlight_ids: [id] };
    const clip = await visitor.call<Clip>("POST", `/api/matches/${match}/clips/create/`, body);
    await finishClip(server.services, clip.id);
    return clip;
  };
  await clipOf(leaver, matchId, own);
  const friendsClip = await clipOf(friend, friendsMatchId, shown);

  const { data } = await copyOf(leaver);
  const marked = [unused, own, shown].map(({ id, display_name: name }) => ({ id, name }));
  expect(data.marked_moments).toMatchObject(marked);
  for (const column of ["made_by", "steam_id"]) {
    expect(
      data.marked_moments.map((row) => column in row),
      column,
    ).toEqual([false, false, false]);
  }
  const told = (copy: CopiedData) => copy.matches.flatMap(({ highlights }) => highlights);
  expect(told(data).filter((row) => row.is_marked_by_you)).toMatchObject(marked);
  const { data: friends } = await copyOf(friend);
  expect(friends.marked_moments).toEqual([]);
  expect([...told(friends), ...friends.clips.flatMap(({ highlights }) => highlights)]).toMatchObject([
    { id: shown.id, is_marked_by_you: false },
  ]);

  const { id: userId } = await database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", steamId)
    .executeTakeFirstOrThrow();
  expect((await leaver.request("POST", "/api/account/delete/", { steam_id: steamId })).status).toBe(200);
  await runForgetJob(server.services, { userId });
  const match = await friend.call<MatchDetail>("GET", `/api/matches/${friendsMatchId}/`);
  expect(match.highlights.filter(({ highlight_type: type }) => type === "custom")).toEqual([]);
  const { highlights } = await friend.call<ClipDetail>("GET", `/api/matches/clips/${friendsClip.id}/`);
  expect(highlights).toMatchObject([{ id: shown.id, display_name: "Custom Moment" }]);
  // Of the places for moments that a match has it takes none.
  const left = await database.selectFrom("highlights").selectAll().where("type", "=", "custom").execute();
  expect(left).toMatchObject([{ id: shown.id, name: "Custom Moment", is_listed: false, made_by: null }]);
});
