import { sql } from "kysely";
import { startSession } from "../../backend/accounts/sessions.ts";
import { createApi } from "../../backend/api/create-api.ts";
import { deleteClip } from "../../backend/clips/delete-clip.ts";
import { toggleLike } from "../../backend/clips/likes.ts";
import { forgetTopLists, topListsJson } from "../../backend/clips/lists/top-lists.ts";
import { readConfig } from "../../backend/config.ts";
import { sessionCookieName } from "../../backend/http/cookie-names.ts";
import { openServices } from "../../backend/open-services.ts";
import { runRetention } from "../../backend/retention/run-retention.ts";
import type { Services } from "../../backend/services.ts";
import { settleAbandonedWork } from "../../backend/settle-abandoned-work.ts";
import { createWeb, type RequestHandler } from "../../backend/web/create-web.ts";
import type { Filled } from "./fill.ts";

export interface Figure {
  p50: number;
  p99: number;
  /** Size of the last answer: showing more takes longer. */
  kilobytes?: number;
}

export interface Measured {
  /** Milliseconds by call. */
  calls: Map<string, Figure>;
  /** Home under ten requests a second while likes come in. */
  home: Figure & { most: number; answers: number; failed: number };
}

export interface MeasureOptions {
  place: { DATABASE_URL: string | undefined; DATA_DIR: string };
  filled: Filled;
  /** Number of times each call is made. */
  rounds: number;
  /** Duration of the load on Home. */
  seconds: number;
  root: string;
  say(text: string): void;
}

const never = new AbortController().signal;
const origin = "http://localhost:3000";

/** Opens the product on a filled database, without workers, and requests every list and page in this process. */
export async function measure(options: MeasureOptions): Promise<Measured> {
  const config = readConfig({
    ...{ NODE_ENV: "production", LOG_LEVEL: "error", HISTORY_PROVIDER: "none", PORT: "3000" },
    ...{ PUBLIC_URL: origin, REQUESTS_PER_MINUTE: "1000000", ROLE: options.place.DATABASE_URL ? "web" : "all" },
    ...options.place,
  });
  const { services, close } = await openServices(config);
  try {
    const api = createApi(services);
    const build = await import(`${options.root}build/server/index.js`);
    const web = createWeb({
      ...{ services, api, mode: "production", assetsFolder: null },
      loadBuild: async () => build,
    });
    const calls = await measureCalls(services, web, options);
    const home = await measureHome(services, web, options);
    return { calls, home };
  } finally {
    await close();
  }
}

async function measureCalls(
  services: Services,
  web: RequestHandler,
  { filled, rounds, say }: MeasureOptions,
): Promise<Map<string, Figure>> {
  const { database } = services;
  const heavy = filled.heaviestUser;
  const { token } = await startSession(services, heavy);
  const cookie = `${sessionCookieName(services.config)}=${token}`;
  const steamId = (
    await database.selectFrom("users").select("steam_id").where("id", "=", heavy).executeTakeFirstOrThrow()
  ).steam_id;
  // Has about as many matches in every filling, unlike the busiest one.
  const usual = await database
    .selectFrom("user_totals")
    .select("user_id")
    .where("user_id", "<>", heavy)
    .orderBy(sql`abs(matches - 10)`)
    .orderBy("user_id")
    .limit(1)
    .executeTakeFirst();
  const { steam_id: usualSteamId, steam_name: usualName } = await database
    .selectFrom("users")
    .select(["steam_id", "steam_name"])
    .where("id", "=", usual?.user_id ?? heavy)
    .executeTakeFirstOrThrow();
  const usualCookie = `${sessionCookieName(services.config)}=${(await startSession(services, usual?.user_id ?? heavy)).token}`;
  const named = (query: string) =>
    query
      .replace(steamId, "the busiest player")
      .replace(usualSteamId, "a player with ten matches")
      .replace(usualName, "the name of a player with ten matches");
  const cookies = { visitor: {}, player: { cookie }, usual: { cookie: usualCookie } };
  const get =
    (path: string, as: keyof typeof cookies = "visitor") =>
    async () => {
      const headers = { ...cookies[as], accept: "text/html,application/json" };
      const response = await web.fetch(new Request(`${origin}${path}`, { headers }), bindings);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
      return text;
    };
  const random = () => 1 + Math.floor(Math.random() * filled.clips);
  const finished = async () => {
    const row = await database
      .selectFrom("clips")
      .select(["id", "match_id"])
      .where("id", ">=", random())
      .where("status", "=", "completed")
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    return row ?? { id: 1, match_id: "m1" };
  };
  const ownMatch = await database
    .selectFrom("matches")
    .select("id")
    .where("user_id", "=", heavy)
    .limit(1)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ groups: number }>`
    SELECT count(DISTINCT match_id)::int AS groups FROM clips WHERE user_id = ${heavy}`.execute(database);
  const deepGroups = Math.floor((rows[0]?.groups ?? 0) / 2);
  const deepMatches = Math.floor(filled.matches / 80);
  const clips: { id: number }[] = [];
  for (let n = 0; n < 40; n++) clips.push(await finished());
  let turn = 0;
  const nextClip = () => clips[turn++ % clips.length]?.id ?? 1;
  const apiOwn = "/api/matches/clips/";
  const apiUser = `/api/matches/users/${steamId}/clips/`;

  const asked: [string, () => Promise<unknown>][] = [
    ["Home, lists kept", get("/")],
    ["Home, signed in", get("/", "player")],
    [
      "Home after a like",
      async () => {
        await toggleLike(services, heavy, nextClip());
        return get("/", "player")();
      },
    ],
    [
      "top lists, worked out anew",
      async () => {
        forgetTopLists(services);
        return topListsJson(services, null);
      },
    ],
    ...[
      "map=de_mirage",
      "map=de_cache",
      "type=ace",
      "type=one_tap",
      "type=no_scope&map=de_vertigo",
      "type=one_tap&map=de_mirage",
      `player=${steamId}`,
      `player=${usualSteamId}`,
      `type=headshot_streak&player=${steamId}`,
      "player=76561190000000007",
      "player=Player 9&map=de_nuke",
      "player=nobody",
      // With about as many results in every filling: the cost of a filter apart from its results.
      "type=no_scope&map=de_cache",
      "type=one_tap&map=de_cache",
      `type=headshot_streak&player=${usualSteamId}`,
      `player=${usualName}&map=de_cache`,
    ].map((query): [string, () => Promise<unknown>] => [
      `top lists of ${named(query)}, anew`,
      async () => {
        forgetTopLists(services);
        return topListsJson(services, null, Object.fromEntries(new URLSearchParams(query)));
      },
    ]),
    // As for visitors: only the first one in five minutes waits, which the lines above measure.
    ...["map=de_cache", "type=no_scope&map=de_vertigo", `player=${steamId}`].map(
      (query): [string, () => Promise<unknown>] => [
        `Home narrowed to ${named(query)}, signed in`,
        get(`/?${query}`, "player"),
      ],
    ),
    ["a user's clips, page", get(`/users/${steamId}/clips`)],
    ["a user's clips, first", get(`${apiUser}?limit=5&offset=0`)],
    ["a user's clips, middle", get(`${apiUser}?limit=5&offset=${deepGroups}`)],
    ["a user's clips on a map", get(`${apiUser}?limit=5&offset=0&map=de_nuke`)],
    ["a user's clips on a rare map", get(`${apiUser}?limit=5&offset=0&map=de_cache`)],
    ["My Clips, page", get("/clips", "player")],
    ["My Clips, first", get(`${apiOwn}?limit=5&offset=0`, "player")],
    ["My Clips, middle", get(`${apiOwn}?limit=5&offset=${deepGroups}`, "player")],
    ["My Clips with an ace", get(`${apiOwn}?limit=5&offset=0&type=ace`, "player")],
    ["My Matches, page", get("/matches", "player")],
    ["matches, first", get("/api/matches/?limit=9&offset=0", "player")],
    ["matches, middle", get(`/api/matches/?limit=9&offset=${deepMatches}`, "player")],
    ["a match", get(`/api/matches/${ownMatch.id}/?include_players=true`, "player")],
    ["own highlights", get("/api/highlights/?limit=20&offset=0", "player")],
    ["highlights of all players", get("/api/highlights/?limit=20&offset=0&player=all", "player")],
    ["one taps of all players", get("/api/highlights/?limit=20&offset=0&player=all&type=one_tap", "player")],
    ["highlights of all players on a map", get("/api/highlights/?limit=20&offset=0&player=all&map=de_nuke", "player")],
    ["highlights of a player with ten matches", get("/api/highlights/?limit=20&offset=0&player=all", "usual")],
    ["own one taps on a map", get("/api/highlights/?limit=20&offset=0&type=one_tap&map=de_mirage", "player")],
    ["own aces on a map", get("/api/highlights/?limit=20&offset=0&type=ace&map=de_nuke", "player")],
    ["a clip, page", () => get(`/clips/${nextClip()}`)()],
    ["a clip, related", () => get(`/api/matches/clips/${nextClip()}/related/`)()],
    ["/metrics", get("/metrics")],
    ["queue depth", () => services.jobs.depth()],
    ["deleting a clip", async () => deleteClip(services, await ownerOf(services, random), lastOwned)],
    ["looking for abandoned work", () => settleAbandonedWork(services)],
  ];
  const figures = new Map<string, Figure>();
  for (const [name, ask] of asked) {
    const took: number[] = [];
    try {
      let answer: unknown;
      for (let n = 0; n < 3; n++) answer = await ask();
      // Slow calls are only measured a few times.
      const until = performance.now() + 20_000;
      for (let n = 0; n < rounds && (n < 5 || performance.now() < until); n++) {
        const since = performance.now();
        await ask();
        took.push(performance.now() - since);
      }
      figures.set(name, {
        ...figureOf(took),
        ...(typeof answer === "string" ? { kilobytes: answer.length / 1000 } : {}),
      });
      const { p50, p99 } = figureOf(took);
      say(`  ${name.padEnd(52)}${p50.toFixed(1).padStart(9)}${p99.toFixed(1).padStart(9)}`);
    } catch (error) {
      say(`  ${name.padEnd(52)} ${String(error)}`);
    }
  }
  const since = performance.now();
  await runRetention(services, never);
  const took = performance.now() - since;
  figures.set("retention with nothing to do", { p50: took, p99: took });
  say(`  ${"retention with nothing to do".padEnd(52)}${took.toFixed(0).padStart(9)}`);
  return figures;
}

let lastOwned = 0;

/** Picks a clip. @returns its owner */
async function ownerOf({ database }: Services, random: () => number): Promise<number> {
  const row = await database
    .selectFrom("clips")
    .select(["id", "user_id"])
    .where("id", ">=", random())
    .where("status", "=", "completed")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  lastOwned = row?.id ?? 0;
  return row?.user_id ?? 0;
}

const bindings = { incoming: { socket: { remoteAddress: "127.0.0.1" } } };

/** Ten visitors a second come to Home, one of them signed in, while two likes a second come in. */
async function measureHome(
  services: Services,
  web: RequestHandler,
  { filled, seconds, say }: MeasureOptions,
): Promise<Measured["home"]> {
  const { token } = await startSession(services, filled.heaviestUser);
  const cookie = `${sessionCookieName(services.config)}=${token}`;
  forgetTopLists(services);
  const took: number[] = [];
  let failed = 0;
  const visits: Promise<void>[] = [];
  const visit = async (headers: Record<string, string>) => {
    const since = performance.now();
    const response = await web.fetch(new Request(`${origin}/`, { headers }), bindings);
    await response.text();
    took.push(performance.now() - since);
    if (response.status !== 200) failed++;
  };
  const like = async () => {
    const clipId = 1 + Math.floor(Math.random() * filled.clips);
    await toggleLike(services, 1 + Math.floor(Math.random() * filled.users), clipId);
  };
  for (let n = 0; n < seconds * 10; n++) {
    visits.push(visit(n % 2 ? { cookie, accept: "text/html" } : { accept: "text/html" }));
    if (n % 5 === 0) visits.push(like());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await Promise.all(visits);
  const home = { ...figureOf(took), most: Math.max(...took), answers: took.length, failed };
  say(
    `  Home, 10 a second: p50 ${home.p50.toFixed(0)}, p99 ${home.p99.toFixed(0)}, most ${home.most.toFixed(0)} ms, ${failed} failed`,
  );
  return home;
}

function figureOf(took: readonly number[]): Figure {
  const sorted = [...took].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
