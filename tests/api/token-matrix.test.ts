import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressOf, type RouteDescription } from "../../contract/api-route.ts";
import { apiRoutes } from "../../contract/api-routes.ts";
import type { Visibility } from "../../contract/clip-address.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { type TokenScope, tokenScopes } from "../../contract/token-scopes.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { callWithToken, tokenOf } from "../services/token-calls.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

/** Every call × every token that there can be. A new call fails the first test until somebody says here who may make it. */

const dayMs = 24 * 3600_000;
const ownerSteamId = "76561199999980101";
const otherSteamId = "76561199999980102";

interface Classified {
  /**
   * What a token needs; of `anybody`, a token is not needed, but one that is sent has to be good. Of `operator`, there is no such call
   * for any token, an operator's neither, nor for who has none.
   */
  needs: TokenScope | "session" | "anybody" | "operator";
  /** Statuses with which it is carried out here, of a token that may. */
  answers: readonly number[];
  /** True of what another player cannot see or touch; with their own token they get the same as for what is not there. */
  isOwn?: true;
  parameters?: () => Record<string, string | number>;
  query?: Record<string, string>;
  body?: () => object | FormData;
}

let server: RunningApi;
let owner: ApiVisitor;
let matchId: string;
let highlights: Highlight[];
/** Finished ones. */
let clipIds: number[];
let failedMatchId: string;
/** Of the owner, and imported already. */
const uploadId = "0123456789abcdef01234567";
const tokens: Record<string, string> = {};

const ofMatch = { isOwn: true, parameters: () => ({ id: matchId }) } as const;
const ofClip = { parameters: () => ({ id: clipIds[0]! }) } as const;
const anybody = { needs: "anybody", answers: [200] } as const;
const session = { needs: "session", answers: [200, 201, 204, 302] } as const;
/** The owner is one. */
const operator = { needs: "operator", answers: [200] } as const;
const ownThings = { needs: "read", answers: [200] } as const;
const ofUpload = { needs: "import", isOwn: true, parameters: () => ({ id: uploadId }) } as const;
const newClip = () => ({ highlight_ids: [highlights[1]!.id], reuse: true });

const classified: Record<string, Record<string, Classified>> = {
  auth: {
    // Of what is the caller's, a token without `read` is told nothing.
    status: anybody,
    startSignIn: session,
    finishSignIn: session,
    standing: ownThings,
    logout: session,
    logoutEverywhere: session,
  },
  account: {
    sessions: session,
    endSession: { ...session, parameters: () => ({ id: "0123456789abcdef" }), answers: [404] },
    data: session,
    remove: { ...session, body: () => ({ steam_id: "76561190000000000" }), answers: [400] },
  },
  tokens: {
    list: session,
    create: { ...session, body: () => ({ name: "made by a token", scopes: ["read"] }) },
    revoke: { ...session, parameters: () => ({ id: 999_999 }), answers: [404] },
  },
  automation: {
    state: session,
    // There is no history provider here.
    save: { ...session, body: () => ({ choice: "best", players: "me", clips_per_day: 3 }), answers: [409] },
    stop: session,
    keepClip: { ...session, ...ofClip, isOwn: true },
  },
  webhooks: {
    list: session,
    saveDiscord: { ...session, body: () => ({ url: "https://example.com/no-discord" }), answers: [400] },
    add: { ...session, body: () => ({ url: "https://192.0.2.1/", events: ["clip.ready"] }), answers: [201, 400] },
    remove: { ...session, parameters: () => ({ id: 999_999 }), answers: [404] },
    test: { ...session, parameters: () => ({ id: 999_999 }), answers: [404] },
    again: { ...session, parameters: () => ({ id: 999_999 }), answers: [404] },
  },
  matches: {
    list: ownThings,
    importDemoUrl: {
      needs: "import",
      answers: [200, 201],
      body: () => ({ demo_url: "https://demos.example/of-a-token.dem" }),
    },
    importDemoFile: { needs: "import", answers: [201], body: upload },
    importSample: { needs: "import", answers: [200, 201] },
    importRecent: {
      needs: "import",
      answers: [200, 201],
      body: () => ({ demo_url: "https://demos.example/of-a-token.dem", recent_match_id: "recent-1" }),
    },
    checkDemoProcessing: {
      ...ownThings,
      body: () => ({ demo_url: "https://demos.example/never-imported.dem" }),
    },
    detail: { ...ownThings, ...ofMatch },
    status: { ...ownThings, ...ofMatch },
    ownOfSameDemo: { ...ownThings, ...ofMatch },
    retry: { needs: "import", answers: [200, 409], isOwn: true, parameters: () => ({ id: failedMatchId }) },
    remove: { ...session, ...ofMatch },
    track: { ...ownThings, ...ofMatch },
    rounds: { ...ownThings, ...ofMatch },
    avatars: { ...ownThings, ...ofMatch },
    markMoment: {
      ...ofMatch,
      needs: "create",
      answers: [201],
      body: () => ({ round: 2, player: 0, from: 1, to: 5 }),
    },
    removeMoment: {
      ...session,
      isOwn: true,
      parameters: () => ({ id: matchId, highlight_id: highlights[0]!.id }),
      answers: [404],
    },
    picture: {
      needs: "read",
      // Made after the import, which did not run here.
      answers: [404],
      isOwn: true,
      parameters: () => ({ id: matchId, version: "0", name: "floor-0.webp" }),
    },
    clips: { ...ownThings, ...ofMatch },
    createClip: { ...ofMatch, needs: "create", answers: [200, 201], body: newClip },
    previewClip: { ...ofMatch, needs: "create", answers: [200], body: newClip },
  },
  uploads: {
    begin: { needs: "import", answers: [201], body: () => ({ file_name: "match.dem", bytes: 1 }) },
    state: { ...ofUpload, answers: [200] },
    // Its one part is here.
    putPart: { ...ofUpload, parameters: () => ({ id: uploadId, number: 1 }), answers: [200] },
    importMatch: { ...ofUpload, answers: [200] },
    remove: { ...ofUpload, answers: [204, 404] },
  },
  highlights: { own: ownThings },
  clips: {
    top: anybody,
    own: ownThings,
    ofUser: { ...anybody, parameters: () => ({ steam_id: ownerSteamId }) },
    createCompilation: { needs: "create", answers: [201], isOwn: true, body: () => ({ clip_ids: clipIds }) },
    detail: { ...anybody, ...ofClip },
    status: { ...anybody, ...ofClip },
    related: { ...anybody, ...ofClip },
    rename: { ...ofClip, needs: "create", answers: [200], isOwn: true, body: () => ({ name: "Renamed" }) },
    setVisibility: {
      ...ofClip,
      needs: "create",
      answers: [200],
      isOwn: true,
      body: () => ({ visibility: "public" }),
    },
    inGame: { ...ownThings, ...ofClip, isOwn: true },
    csdmConfig: { ...ownThings, ...ofClip, isOwn: true },
    hlaeCommands: { ...ownThings, ...ofClip, isOwn: true },
    addFormat: {
      ...ofClip,
      needs: "create",
      answers: [200, 201],
      isOwn: true,
      body: () => ({ format: "vertical" }),
    },
    remove: { ...session, ...ofClip, isOwn: true },
    like: { ...session, ...ofClip },
    likes: { ...anybody, ...ofClip },
    view: { ...anybody, ...ofClip },
    views: { ...anybody, ...ofClip },
  },
  media: {
    video: { ...anybody, ...ofClip },
    share: { ...anybody, ...ofClip },
    loop: { ...anybody, ...ofClip },
    poster: { ...anybody, ...ofClip },
    widePoster: { ...anybody, ...ofClip },
    thumbnail: { ...anybody, ...ofClip },
  },
  feeds: { newest: anybody, ofUser: { ...anybody, parameters: () => ({ steam_id: ownerSteamId }) } },
  site: { details: anybody },
  docs: { openApi: anybody, page: anybody, guide: anybody },
  operator: {
    overview: operator,
    failures: operator,
    // Nothing has failed here.
    retryFailure: { ...operator, parameters: () => ({ id: "11111111-1111-4111-8111-111111111111" }), answers: [409] },
    retryCause: { ...operator, body: () => ({ queue: "import", cause: "unexpected end of file" }) },
  },
};

/** For load balancers and monitoring, which know nobody. */
const withoutCallers = ["operation"];

function upload(): FormData {
  const form = new FormData();
  form.append("demo_file", new Blob(["not a demo"]), "match.dem");
  return form;
}

const everyCall = Object.entries(apiRoutes)
  .filter(([area]) => !withoutCallers.includes(area))
  .flatMap(([area, ofArea]) =>
    Object.entries<RouteDescription>(ofArea).map(([name, route]) => ({
      name: `${area}.${name}`,
      area,
      call: name,
      route,
    })),
  );
/** Those that the first test does not miss. */
const calls = everyCall.filter(({ area, call }) => classified[area]?.[call]);

beforeAll(async () => {
  server = await startApi({
    ...{ REQUESTS_PER_MINUTE: "100000", TOKEN_REQUESTS_PER_MINUTE: "100000" },
    OPERATOR_STEAM_IDS: ownerSteamId,
  });
  owner = new ApiVisitor(server.url);
  await owner.signIn(ownerSteamId, "owner");
  const other = new ApiVisitor(server.url);
  await other.signIn(otherSteamId, "other");
  matchId = await giveMatch(server.services, ownerSteamId, await storeReel(server.services, { hasTrack: true }));
  ({ highlights } = await owner.call<MatchDetail>("GET", `/api/matches/${matchId}/`));
  clipIds = [];
  for (const highlight of [highlights[0]!, highlights[2]!]) {
    const clip = await owner.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
      highlight_ids: [highlight.id],
    });
    await server.services.jobs.cancel("render", { clipId: clip.id });
    await finishClip(server.services, clip.id, "a video");
    clipIds.push(clip.id);
  }
  const { match_id: failed } = await owner.call<MatchDetail>("POST", "/api/matches/upload-demo/", {
    demo_url: "https://demos.example/failed.dem",
  });
  failedMatchId = failed;
  await server.services.jobs.cancel("import", { matchId: failed });
  await server.services.database.updateTable("matches").set({ status: "failed" }).where("id", "=", failed).execute();

  const { id: ownerId } = await server.services.database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", ownerSteamId)
    .executeTakeFirstOrThrow();
  await server.services.database
    .insertInto("uploads")
    .values({
      ...{ id: uploadId, user_id: ownerId, file_name: "match.dem", bytes: 10, part_bytes: 100, part_tags: [""] },
      ...{ store_handle: "none", match_id: matchId },
      ...{ created_at: new Date(), touched_at: new Date() },
    })
    .execute();

  for (const scope of tokenScopes) tokens[scope] = (await tokenOf(owner, [scope])).token;
  tokens.all = (await tokenOf(owner, tokenScopes)).token;
  tokens.other = (await tokenOf(other, tokenScopes)).token;
  const revoked = await tokenOf(owner, tokenScopes);
  await owner.call("DELETE", `/api/account/tokens/${revoked.id}/`);
  tokens.revoked = revoked.token;
  const expiring = await tokenOf(owner, tokenScopes, { expires_in_days: 30 });
  await server.services.database
    .updateTable("access_tokens")
    .set({ expires_at: new Date(server.services.now().getTime() - 1000) })
    .where("id", "=", expiring.id)
    .execute();
  tokens.expired = expiring.token;
});
afterAll(() => server.close());

/** @returns status and, of an error, its code */
async function outcome(call: (typeof calls)[number], caller: string) {
  const { parameters, query, body } = classified[call.area]![call.call]!;
  const response = await callWithToken(
    server.url,
    tokens[caller] ?? null,
    call.route.method.toUpperCase(),
    addressOf(call.route, parameters?.(), query),
    body?.(),
  );
  expect(response.headers.getSetCookie(), `${call.name} by ${caller} sets a cookie`).toEqual(
    tokens[caller] ? [] : expect.anything(),
  );
  const text = await response.text();
  const isError = response.status >= 400 && response.headers.get("content-type")?.startsWith("application/json");
  return {
    status: response.status,
    code: isError ? (JSON.parse(text) as { error: string }).error : null,
    challenge: response.headers.get("www-authenticate"),
  };
}

/** Takes what waits from the queue, where a player has four places. */
async function makeRoomForImports(): Promise<void> {
  const matches = await server.services.database.selectFrom("matches").select("id").execute();
  for (const { id } of matches) await server.services.jobs.cancel("import", { matchId: id });
}

/** Ends what waits in the queue for a player's three places: made clips are finished, added formats gone. */
async function makeRoomForClips(): Promise<void> {
  const { database, jobs } = server.services;
  const waiting = await database.selectFrom("clips").select("id").where("queue_slot", "is not", null).execute();
  for (const { id } of waiting) {
    await jobs.cancel("render", { clipId: id });
    await finishClip(server.services, id, "a video");
  }
  await database.deleteFrom("clip_formats").where("queue_slot", "is not", null).execute();
}

/** Columns that say only when something was used last: a token that is refused for its scope has been used. */
const usedLast = ["last_used_at", "last_seen_at"];

/** Every row of every table. */
async function stored(): Promise<string> {
  const { database } = server.services;
  const { rows: tables } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`.execute(database);
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["clips", "webhook_deliveries", "views"]));
  const contents = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      SELECT (to_jsonb(t) - ${sql.raw(`'{${usedLast.join()}}'::text[]`)})::text AS row
      FROM ${sql.table(name)} t ORDER BY 1`.execute(database);
    contents.push({ name, rows: rows.map(({ row }) => row) });
  }
  return JSON.stringify(contents, null, 1);
}

test("Every call of the API says here what a token needs for it", () => {
  const known = Object.entries(classified).flatMap(([area, ofArea]) =>
    Object.keys(ofArea).map((name) => `${area}.${name}`),
  );
  expect(everyCall.map(({ name }) => name).sort()).toEqual(known.sort());
});

const needsOf = (call: (typeof calls)[number]) => classified[call.area]![call.call]!.needs;
const isPublic = (call: (typeof calls)[number]) => call.route.access === "public";

test("Nobody, revoked and ended tokens, tokens without the scope and tokens of others are refused, and nothing changes", async () => {
  const before = await stored();
  const wrong: string[] = [];
  const check = async (call: (typeof calls)[number], caller: string, expected: string) => {
    const { status, code, challenge } = await outcome(call, caller);
    const found = `${status} ${code}`;
    if (found !== expected) wrong.push(`${call.name} by ${caller}: ${found}, expected ${expected}`);
    if ([401, 403].includes(status) && !challenge?.startsWith('Bearer realm="clutchcast"')) {
      wrong.push(`${call.name} by ${caller}: ${found} without WWW-Authenticate`);
    }
  };
  for (const call of calls) {
    const needs = needsOf(call);
    for (const caller of ["revoked", "expired"]) await check(call, caller, "401 invalid_token");
    if (needs === "operator") await check(call, "nobody", "404 not_found");
    else if (!isPublic(call)) await check(call, "nobody", "401 authentication_required");
    for (const caller of [...tokenScopes, "all", "other"]) {
      if (needs === "operator") {
        await check(call, caller, "404 not_found");
        continue;
      }
      const isRefused =
        needs === "session" || (needs !== "anybody" && caller !== "all" && caller !== "other" && caller !== needs);
      if (isRefused) await check(call, caller, "403 insufficient_scope");
      else if (caller === "other" && classified[call.area]![call.call]!.isOwn) {
        await check(call, caller, call.name === "clips.createCompilation" ? "400 invalid" : "404 not_found");
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(await stored()).toBe(before);
});

test("A token with the scope, one with all, and for public calls any token and none, are answered", async () => {
  const wrong: string[] = [];
  for (const call of calls) {
    const { needs, answers } = classified[call.area]![call.call]!;
    const callers =
      needs === "session" || needs === "operator"
        ? []
        : needs === "anybody"
          ? ["nobody", ...tokenScopes, "all", "other"]
          : [needs, "all"];
    for (const caller of callers) {
      if (needs === "import") await makeRoomForImports();
      if (needs === "create") await makeRoomForClips();
      const { status, code } = await outcome(call, caller);
      if (!answers.includes(status)) wrong.push(`${call.name} by ${caller}: ${status} ${code}, expected ${answers}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("Of an unlisted clip another player's token finds by its number what nobody finds, and by its link what everybody does", async () => {
  const id = clipIds[1]!;
  const setVisibility = (visibility: Visibility) => {
    const route = apiRoutes.clips.setVisibility;
    return owner.call<Clip>(route.method.toUpperCase(), addressOf(route, { id }), { visibility });
  };
  const { public_id: link } = await setVisibility("unlisted");
  expect(link).not.toBe(String(id));
  const ofOneClip = calls.filter(
    (call) => needsOf(call) === "anybody" && classified[call.area]![call.call]!.parameters === ofClip.parameters,
  );
  expect(ofOneClip.length).toBeGreaterThan(8);
  const wrong: string[] = [];
  for (const call of ofOneClip) {
    for (const caller of ["nobody", "other"]) {
      const ask = async (address: string | number) => {
        const path = addressOf(call.route, { id: address });
        return (await callWithToken(server.url, tokens[caller] ?? null, call.route.method.toUpperCase(), path)).status;
      };
      const [byNumber, byLink] = [await ask(id), await ask(link)];
      if (byNumber !== 404 || byLink !== 200) wrong.push(`${call.name} by ${caller}: ${byNumber}, ${byLink}`);
    }
  }
  const lists = [
    addressOf(apiRoutes.clips.ofUser, { steam_id: ownerSteamId }),
    addressOf(apiRoutes.clips.top),
    addressOf(apiRoutes.feeds.newest),
    addressOf(apiRoutes.feeds.ofUser, { steam_id: ownerSteamId }),
  ];
  for (const path of lists) {
    for (const caller of ["nobody", "other"]) {
      const response = await callWithToken(server.url, tokens[caller] ?? null, "GET", path);
      const text = await response.text();
      if (response.status !== 200 || !text.includes(`/clips/${clipIds[0]}`))
        wrong.push(`${path} by ${caller} lacks the other`);
      if (text.includes(link)) wrong.push(`${path} by ${caller} has it`);
    }
  }
  await setVisibility("public");
  expect(wrong).toEqual([]);
});

test("What no token may do, a session may", async () => {
  const wrong: string[] = [];
  // What takes things away comes last, and then what ends the session.
  const last = ["clips.remove", "matches.remove", "auth.finishSignIn", "auth.logoutEverywhere", "auth.logout"];
  const ofSessions = calls
    .filter((call) => ["session", "operator"].includes(needsOf(call)))
    .sort((a, b) => last.indexOf(a.name) - last.indexOf(b.name));
  for (const call of ofSessions) {
    const { parameters, query, body, answers } = classified[call.area]![call.call]!;
    const { authenticated } = await owner.call<{ authenticated: boolean }>("GET", "/api/auth/status/");
    if (!authenticated) await owner.signIn(ownerSteamId, "owner");
    const path = addressOf(call.route, parameters?.(), query);
    const { status } = await owner.request(call.route.method.toUpperCase(), path, body?.());
    if (!answers.includes(status)) wrong.push(`${call.name}: ${status}, expected ${answers}`);
  }
  expect(ofSessions.map(({ area }) => area)).toContain("operator");
  expect(ofSessions.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

test("A token ends on its day, and not before", async () => {
  const player = new ApiVisitor(server.url);
  await player.signIn("76561199999980103", "patient");
  const { token } = await tokenOf(player, ["read"], { expires_in_days: 30 });
  const isGood = async () => (await callWithToken(server.url, token, "GET", "/api/matches/")).status === 200;
  server.passTime(30 * dayMs - 60_000);
  expect(await isGood()).toBe(true);
  server.passTime(61_000);
  expect(await isGood()).toBe(false);
});
