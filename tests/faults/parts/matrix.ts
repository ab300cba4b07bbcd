import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { Services } from "../../../backend/services.ts";
import { startHistoryProvider } from "../../services/leetify-server.ts";
import { copyClips } from "../../services/seeded-rows.ts";
import { startWebhookReceiver } from "../../services/webhook-receiver.ts";
import { fixtureDemo, startDemoShelf } from "../demo-shelf.ts";
import type { FaultPart, FaultRun } from "../fault-run.ts";
import { pagesWithForms } from "../forms.ts";
import { Judge } from "../judgement.ts";
import { type Seed, seededData, signInMaker } from "../seed.ts";
import {
  createClip,
  type Player,
  requestImport,
  signedInPlayer,
  stagedProduct,
  withStoredData,
} from "../staged-product.ts";

export const matrix: FaultPart = {
  name: "matrix",
  summary: "every call of the OpenAPI document by everybody who may not, and by those who may",
  async run(run) {
    const stage = await setStage(run);
    const calls = documentedCalls(await stage.owner.visitor.call<OpenApi>("GET", "/api/openapi.json"));
    run.say(`${calls.length} calls`);
    const refusals = new Judge("a call answers nobody who may not make it");
    const unchanged = new Judge("refused calls and forms change nothing of the owner's");
    const before = await ownersView(stage, calls);
    await attackCalls(stage, calls, refusals);
    const pages = await attackPages(stage, run.isShort);
    const after = await ownersView(stage, calls);
    for (const [address, view] of before) {
      unchanged.check(isDeepStrictEqual(view, after.get(address)), `${address} shows something else than before`);
    }
    const entitled = new Judge("a call answers everybody who may make it");
    await makeEntitledCalls(stage, calls, entitled);
    return [refusals.judgement, pages.judgement, unchanged.judgement, entitled.judgement];
  },
};

/* What there is to be called */

interface Operation {
  summary: string;
  tags: string[];
  security?: object[];
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema?: BodySchema }> };
  responses: Record<string, unknown>;
}

interface BodySchema {
  type?: string;
  enum?: string[];
  properties?: Record<string, BodySchema>;
  required?: string[];
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

interface Call {
  /** `POST /api/matches/{id}/retry/` */
  name: string;
  method: string;
  path: string;
  operation: Operation;
  /** Whether its answer is for signed-in players alone. */
  isSecured: boolean;
  /** Whether it is there for operators alone, of whom the owner is one. */
  isOperators: boolean;
  isUnsafe: boolean;
  /** What the parameter of its path names. */
  subject: Subject | null;
}

type Subject = "match" | "upload" | "clip" | "player" | "session" | "token" | "webhook" | "delivery" | "failure";

/** By the part of the path that stands before the parameter. */
const subjects: Record<string, Subject> = {
  ...{ matches: "match", uploads: "upload", clips: "clip", users: "player", sessions: "session", tokens: "token" },
  ...{ webhooks: "webhook", deliveries: "delivery", failures: "failure" },
};

/**
 * Calls for signed-in players that work on what is somebody else's. All others with a session are taken to be for what is
 * one's own: a new one is refused to others, or it is named here.
 */
const forEverySignedInPlayer = new Set(["POST /api/matches/clips/{id}/like/"]);

/** Calls whose body names things of the owner's, here in the stage; for another player they are not there. */
const ofNamedThings = new Set(["POST /api/matches/clips/compilations/", "POST /api/account/delete/"]);

/** Calls that answer something else each time, with no change of what is the owner's. */
const everNew = new Set(["GET /api/account/data/", "GET /api/account/sessions/"]);

/** Calls that end sessions, or their owner: in this order after all others. */
const lastOfAll = ["POST /api/auth/logout-everywhere/", "POST /api/account/delete/"];

function documentedCalls({ paths }: OpenApi): Call[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
      isSecured: (operation.security ?? []).length > 0,
      isOperators: operation.tags.includes("Operator"),
      isUnsafe: method !== "get",
      subject: subjectOf(path),
    })),
  );
}

/** @throws for a path of which the harness cannot tell whose thing it names: teach it the word */
function subjectOf(path: string): Subject | null {
  const parts = path.split("/");
  const named = parts.flatMap((part, place) => (part.startsWith("{") ? [parts[place - 1] ?? ""] : []));
  if (named.length === 0) return null;
  const subject = subjects[named[0] ?? ""];
  const areDetails = parts
    .filter((part) => part.startsWith("{"))
    .slice(1)
    .every((part) => part in details);
  if (!areDetails || !subject) throw new Error(`The matrix cannot tell whose thing ${path} names.`);
  return subject;
}

/**
 * What paths name besides whose thing it is: of a match's pictures the one that every match has, of its highlights one that the
 * owner marked by hand, of an upload its only part.
 */
const details: Record<string, string | ((stage: Stage) => string)> = {
  "{version}": "0",
  "{name}": "ground.bin",
  "{number}": "1",
  "{highlight_id}": ({ markedId }) => String(markedId),
};

/* The stage: an owner with finished, failed and waiting things, and another player */

interface Thing {
  id: string;
  state: "finished" | "failed" | "waiting";
}

interface Stage {
  url: string;
  owner: Player;
  other: Player;
  /** Cookies of a session of the owner that was ended. */
  endedSession: string;
  things: Record<Subject, Thing[]>;
  highlightIds: number[];
  /** A custom highlight of the finished match, in no clip. */
  markedId: number;
  /** Two finished clips. */
  clipIds: number[];
  demoUrl: string;
  /** Somebody's server, and Discord's as well. */
  webhookUrl: string;
  recentMatch: { demo_url: string; recent_match_id: string };
}

async function setStage(run: FaultRun): Promise<Stage> {
  const shelf = await startDemoShelf();
  run.atEnd(() => shelf.close());
  const recentDemo = shelf.put("recent.dem.gz", fixtureDemo("cases/wingman.dem.gz"));
  const listed: Parameters<typeof startHistoryProvider>[0] = {};
  const history = await startHistoryProvider(listed);
  run.atEnd(() => history.close());
  const receiver = await startWebhookReceiver();
  run.atEnd(() => receiver.close());
  const seed = await seededData(run);
  const { failed, copies, webhooks, failedJobs } = await withStoredData(
    seed.dataDirectory,
    async ({ database, jobs }) => ({
      failed: await addFailures(database, seed),
      webhooks: await addWebhook(database, seed, receiver.url),
      copies: await addClips(database, seed),
      failedJobs: await addFailedJobs(database, jobs),
    }),
  );
  // Without workers, so that what waits goes on waiting.
  const { url } = await stagedProduct(
    run,
    {
      IMPORT_ALLOW_HOSTS: shelf.host,
      WEBHOOK_ALLOW_HOSTS: receiver.host,
      HISTORY_PROVIDER: "leetify",
      LEETIFY_API_URL: history.url,
      IMPORT_WORKERS: "0",
      RENDER_WORKERS: "0",
      OPERATOR_STEAM_IDS: seed.steamId,
    },
    seed,
  );
  const owner = { visitor: await signInMaker(url, seed), steamId: seed.steamId, name: seed.name };
  const [highlight] = seed.highlights;
  const highlightIds = highlight ? [highlight.id] : [];
  const waitingMatch = await requestImport(owner.visitor, shelf.missing("waiting.dem"));
  const waitingClip = await createClip(owner.visitor, seed.matchId, highlightIds);
  const { id: markedId } = await owner.visitor.call<{ id: number }>(
    "POST",
    `/api/matches/${seed.matchId}/highlights/`,
    markedMoment,
  );
  const other = await signedInPlayer(url, "other");
  const ended = await signedInPlayer(url, "ended");
  const endedSession = cookiesOf(ended);
  await signInMaker(url, seed);
  const sessions = await owner.visitor.call<{ results: { id: string; is_current: boolean }[] }>(
    "GET",
    "/api/account/sessions/",
  );
  const { id: tokenId } = await owner.visitor.call<{ id: number }>("POST", "/api/account/tokens/", {
    name: "Of the owner",
    scopes: ["read", "import", "create"],
  });
  await ended.visitor.call("POST", "/api/auth/logout/");
  const recentId = "5f0f4d4c-7e4b-4b0e-9d3e-0b8f6f1a2b3c";
  listed[owner.steamId] = [
    { id: recentId, map: "de_nuke", demoUrl: recentDemo, finishedAt: "2026-01-02T10:00:00Z", score: [13, 4] },
  ];
  return {
    url,
    owner,
    other,
    endedSession,
    clipIds: copies,
    things: {
      match: [
        { id: seed.matchId, state: "finished" },
        { id: failed.matchId, state: "failed" },
        { id: waitingMatch.match_id, state: "waiting" },
      ],
      clip: [
        { id: String(seed.clipId), state: "finished" },
        { id: String(failed.clipId), state: "failed" },
        { id: String(waitingClip.id), state: "waiting" },
      ],
      player: [{ id: seed.steamId, state: "finished" }],
      session: sessions.results
        .filter((session) => !session.is_current)
        .map(({ id }) => ({ id, state: "finished" as const })),
      upload: [await beginUpload(url, owner, "complete"), await beginUpload(url, owner, "empty")],
      token: [{ id: String(tokenId), state: "finished" }],
      ...webhooks,
      failure: failedJobs.map((id) => ({ id, state: "finished" })),
    },
    highlightIds,
    markedId,
    demoUrl: shelf.missing("another.dem"),
    webhookUrl: `${receiver.url}/api/webhooks/123456/token`,
    recentMatch: { demo_url: recentDemo, recent_match_id: recentId },
  };
}

/** The only part of each upload. */
const uploadPart = Buffer.from("PART");

/** An upload in parts that waits for its import: whoever imports it first takes it away with the match, which is deleted again. */
async function beginUpload(url: string, owner: Player, is: "complete" | "empty"): Promise<Thing> {
  const { id } = await owner.visitor.call<{ id: string }>("POST", "/api/matches/uploads/", {
    file_name: `${is}.dem`,
    bytes: uploadPart.byteLength,
  });
  if (is === "complete") {
    const headers = { ...withCookies(owner), "Content-Type": "application/octet-stream" };
    await fetch(`${url}/api/matches/uploads/${id}/parts/1/`, { method: "PUT", body: uploadPart, headers });
  }
  return { id, state: "waiting" };
}

/** A webhook, and a message of its log that can be sent again. */
async function addWebhook(
  database: Database,
  { matchId, clipId }: Seed,
  receiverUrl: string,
): Promise<Record<"webhook" | "delivery", Thing[]>> {
  const { rows: webhooks } = await sql<{ id: number }>`
    INSERT INTO webhooks (user_id, kind, url, secret, events, created_at)
    SELECT user_id, 'script', ${`${receiverUrl}/hook`}, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '{clip.failed}', now()
    FROM matches WHERE id = ${matchId} RETURNING id`.execute(database);
  const { rows: messages } = await sql<{ id: number }>`
    INSERT INTO webhook_deliveries (webhook_id, user_id, message_id, event, subject, body, state, tries, tried_at, status)
    SELECT id, user_id, 'msg_0123456789', 'clip.ready', ${String(clipId)}, '{}', 'sent', 1, now(), 204
    FROM webhooks RETURNING id`.execute(database);
  const finished = ({ id }: { id: number }): Thing => ({ id: String(id), state: "finished" });
  return { webhook: webhooks.map(finished), delivery: messages.map(finished) };
}

/** A moment that the seed's match has. */
const markedMoment = { round: 2, player: 0, from: 1, to: 6 };

type Database = Services["database"];

/** Two more finished clips of the owner's. */
async function addClips(database: Database, { clipId }: Seed): Promise<number[]> {
  await copyClips(database, clipId, 2);
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM clips WHERE status = 'completed' AND id > ${clipId} ORDER BY id LIMIT 2`.execute(database);
  return rows.map(({ id }) => id);
}

/** A match and a clip that failed, which no call makes in a moment. */
async function addFailures(database: Database, { matchId, clipId }: Seed) {
  const { rows: matches } = await sql<{ id: string }>`
    INSERT INTO matches (id, user_id, demo_url, source, status, error_code, error)
    SELECT 'failedmatch1', user_id, 'http://127.0.0.1:9/failed.dem', 'url', 'failed', 'not_found', 'It failed.'
    FROM matches WHERE id = ${matchId} RETURNING id`.execute(database);
  const { rows: clips } = await sql<{ id: number }>`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, error)
    SELECT user_id, match_id, demo_sha256, name, spec, settings, 'failed', 'It failed.'
    FROM clips WHERE id = ${clipId} RETURNING id`.execute(database);
  return { matchId: matches[0]!.id, clipId: clips[0]!.id };
}

/** The server's own jobs, given up: one for each kind of caller who may let one run again. */
async function addFailedJobs(database: Database, jobs: Services["jobs"]): Promise<string[]> {
  for (const map of ["de_one", "de_two", "de_three"]) await jobs.send("map", { map }, { ownerId: null });
  const { rows } = await sql<{ id: string }>`
    UPDATE pgboss.job SET state = 'failed', completed_on = now(), output = '{"message": "It failed."}'
    WHERE name = 'map' AND data ->> 'map' IN ('de_one', 'de_two', 'de_three') RETURNING id::text`.execute(database);
  return rows.map(({ id }) => id);
}

/* Callers */

interface Caller {
  name: string;
  /** Whom the server has to take the call for: its session and what makes it believable. */
  is: "nobody" | "owner" | "other" | "forger";
  headers(stage: Stage): Record<string, string>;
}

const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const elsewhere = "https://evil.example";

const cookiesOf = ({ visitor }: Player) => visitor.cookieHeader;
const tokenOf = ({ visitor }: Player) => decodeURIComponent(visitor.cookies.get("XSRF-TOKEN") ?? "");
const sessionOf = ({ visitor }: Player) =>
  [...visitor.cookies].find(([name]) => name.endsWith("clutchcast_session"))?.[1] ?? "";
const withCookies = (player: Player) => ({ Cookie: cookiesOf(player), "X-XSRF-TOKEN": tokenOf(player) });

const asOwner = ({ owner }: Stage) => withCookies(owner);
const believable: Caller[] = [
  { name: "the owner", is: "owner", headers: asOwner },
  {
    name: "the owner from its own pages",
    is: "owner",
    headers: (stage) => ({ ...asOwner(stage), Origin: stage.url, "Sec-Fetch-Site": "same-origin" }),
  },
  {
    name: "the owner by bearer token",
    is: "owner",
    headers: ({ owner }) => ({ Authorization: `Bearer ${sessionOf(owner)}` }),
  },
  { name: "another player", is: "other", headers: ({ other }) => withCookies(other) },
  {
    name: "another player by bearer token",
    is: "other",
    headers: ({ other }) => ({ Authorization: `Bearer ${sessionOf(other)}` }),
  },
  { name: "a visitor", is: "nobody", headers: () => ({}) },
];
/** Nobody, who claims to be somebody. */
const pretenders: Caller[] = [
  {
    name: "an invented session",
    is: "nobody",
    headers: () => ({ Cookie: `clutchcast_session=${"A".repeat(43)}; XSRF-TOKEN=x`, "X-XSRF-TOKEN": "x" }),
  },
  {
    name: "an ended session",
    is: "nobody",
    headers: ({ endedSession }) => ({
      Cookie: endedSession,
      "X-XSRF-TOKEN": decodeURIComponent(/XSRF-TOKEN=([^;]*)/.exec(endedSession)?.[1] ?? ""),
    }),
  },
  { name: "an invented bearer token", is: "nobody", headers: () => ({ Authorization: `Bearer ${"A".repeat(43)}` }) },
  { name: "an empty bearer token", is: "nobody", headers: () => ({ Authorization: "Bearer " }) },
  {
    name: "the owner's SteamID as bearer token",
    is: "nobody",
    headers: ({ owner }) => ({ Authorization: `Bearer ${owner.steamId}` }),
  },
  {
    name: "the session as basic credentials",
    is: "nobody",
    headers: ({ owner }) => ({
      Authorization: `Basic ${Buffer.from(`${owner.steamId}:${sessionOf(owner)}`).toString("base64")}`,
    }),
  },
];
/** Somebody's browser, made to call by another site. Unsafe calls only: the others change nothing, and nobody can read them. */
const forgers: Caller[] = [
  {
    name: "the owner without the anti-forgery token",
    is: "forger",
    headers: ({ owner }) => ({ Cookie: cookiesOf(owner) }),
  },
  {
    name: "the owner with an empty token",
    is: "forger",
    headers: ({ owner }) => ({ Cookie: cookiesOf(owner), "X-XSRF-TOKEN": "" }),
  },
  {
    name: "the owner with another player's token",
    is: "forger",
    headers: ({ owner, other }) => ({ Cookie: cookiesOf(owner), "X-XSRF-TOKEN": tokenOf(other) }),
  },
  {
    name: "the owner with a token planted as cookie",
    is: "forger",
    headers: ({ owner }) => ({
      Cookie: `${cookiesOf(owner).replace(/XSRF-TOKEN=[^;]*/, "XSRF-TOKEN=x")}`,
      "X-XSRF-TOKEN": "x",
    }),
  },
  {
    name: "the owner with half the token",
    is: "forger",
    headers: ({ owner }) => ({ Cookie: cookiesOf(owner), "X-XSRF-TOKEN": tokenOf(owner).slice(0, -1) }),
  },
  ...[
    elsewhere,
    "null",
    "http://localhost:1",
    "http://localhost.evil.example",
    "https://evil.example/http://localhost",
  ].map(
    (origin): Caller => ({
      name: `the owner's browser at ${origin}`,
      is: "forger",
      headers: (stage) => ({ ...asOwner(stage), Origin: origin }),
    }),
  ),
  ...["cross-site", "same-site"].map(
    (site): Caller => ({
      name: `the owner's browser, ${site}`,
      is: "forger",
      headers: (stage) => ({ ...asOwner(stage), "Sec-Fetch-Site": site }),
    }),
  ),
  {
    name: "the owner's bearer token at another site",
    is: "forger",
    headers: ({ owner }) => ({ Authorization: `Bearer ${sessionOf(owner)}`, Origin: elsewhere }),
  },
];

/* What to expect */

/** Whether the server is to carry out this call for this caller; else the statuses that refuse it. */
function expectation(call: Call, caller: Caller, thing: Thing | null): { allowed: true } | { refused: number[] } {
  if (caller.is === "forger") return call.isUnsafe ? { refused: [403] } : { allowed: true };
  // As an address at which there is nothing.
  if (call.isOperators && caller.is !== "owner") return { refused: [404] };
  if (call.isSecured && caller.is === "nobody") return { refused: [401] };
  if (caller.is === "other" && ofNamedThings.has(call.name)) return { refused: [400, 404] };
  if (caller.is === "owner" || call.subject === null || call.subject === "player") return { allowed: true };
  // Not 403: that would tell that it exists.
  const notTheirs = { refused: [404] };
  if (["match", "session", "token", "webhook", "delivery"].includes(call.subject)) return notTheirs;
  if (thing?.state !== "finished") return notTheirs;
  if (call.isSecured) return forEverySignedInPlayer.has(call.name) ? { allowed: true } : notTheirs;
  return { allowed: true };
}

/** Statuses that the document gives for the call being carried out, or not being possible now. */
function documentedStatuses(call: Call, thing: Thing | null): number[] {
  const statuses = Object.keys(call.operation.responses).map(Number);
  const isFinished = thing === null || thing.state === "finished";
  const refusals = isFinished ? [400, 401, 403, 404, 429] : [400, 401, 403, 429];
  return statuses.filter((status) => status < 500 && !refusals.includes(status));
}

/* Calling */

async function make(
  stage: Stage,
  call: Call,
  caller: Caller,
  thing: Thing | null,
): Promise<{ status: number; text: string }> {
  const path = call.path.replace(/\{\w+\}/, thing?.id ?? "").replace(/\{\w+\}/g, (name) => {
    const detail = details[name] ?? name;
    return typeof detail === "string" ? detail : detail(stage);
  });
  const { body, type } = bodyOf(stage, call);
  const response = await fetch(stage.url + path + queryOf(call), {
    method: call.method,
    redirect: "manual",
    headers: { "User-Agent": userAgent, ...(type ? { "Content-Type": type } : {}), ...caller.headers(stage) },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: (await response.text()).slice(0, 100_000) };
}

function queryOf(call: Call): string {
  const required = (call.operation.parameters ?? []).filter(
    (parameter) => parameter.in === "query" && parameter.required,
  );
  return required.length > 0 ? `?${required.map(({ name }) => `${name}=1`).join("&")}` : "";
}

function bodyOf(stage: Stage, call: Call): { body?: BodyInit; type?: string } {
  const [type, described] = Object.entries(call.operation.requestBody?.content ?? {})[0] ?? [];
  if (!type) return {};
  if (type === "multipart/form-data") {
    const form = new FormData();
    form.set("demo_file", new Blob([new Uint8Array(fixtureDemo("cases/one-bullet.dem.gz"))]), "demo.dem.gz");
    return { body: form };
  }
  if (type === "application/octet-stream") return { body: uploadPart, type };
  const isRecent = call.path.includes("recent");
  const known: Record<string, unknown> = {
    demo_url: stage.demoUrl,
    scopes: ["read"],
    highlight_ids: stage.highlightIds,
    clip_ids: stage.clipIds,
    steam_id: stage.owner.steamId,
    url: stage.webhookUrl,
    events: ["clip.ready"],
    clips_per_day: 3,
    name: "A clip",
    ...markedMoment,
    ...(isRecent ? stage.recentMatch : {}),
  };
  const { properties = {}, required = [] } = described?.schema ?? {};
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    if (name in known) return [[name, known[name]] as const];
    return required.includes(name) ? [[name, exampleOf(schema)] as const] : [];
  });
  return { body: JSON.stringify(Object.fromEntries(fields)), type };
}

/** Something of the right type. A call that needs more than that is told its fields above. */
function exampleOf({ type, enum: choices }: BodySchema): unknown {
  if (choices) return choices[0];
  return { string: "x", integer: 1, number: 1, boolean: true, array: [], object: {} }[type ?? "string"];
}

const thingsOf = (stage: Stage, call: Call): (Thing | null)[] => (call.subject ? stage.things[call.subject] : [null]);
const shownThing = (thing: Thing | null) => (thing ? ` (${thing.state})` : "");

async function attackCalls(stage: Stage, calls: readonly Call[], judge: Judge): Promise<void> {
  for (const call of calls) {
    for (const caller of [...believable, ...pretenders, ...forgers]) {
      for (const thing of thingsOf(stage, call)) {
        const expected = expectation(call, caller, thing);
        if (!("refused" in expected)) continue;
        const { status } = await make(stage, call, caller, thing);
        judge.check(
          expected.refused.includes(status),
          `${call.name}${shownThing(thing)} by ${caller.name}: ${status}, not ${expected.refused.join(" or ")}`,
        );
      }
    }
  }
}

/** What the owner sees of what is theirs, by address. */
async function ownersView(stage: Stage, calls: readonly Call[]): Promise<Map<string, unknown>> {
  const [owner] = believable;
  const views = new Map<string, unknown>();
  for (const call of calls) {
    // An operator sees time pass.
    if (call.isUnsafe || call.isOperators || !(call.isSecured || call.subject) || everNew.has(call.name)) continue;
    for (const thing of thingsOf(stage, call)) {
      const { status, text } = await make(stage, call, owner!, thing);
      // The place of what waits is also that of what others have asked for since.
      views.set(`${call.name}${shownThing(thing)}`, { status, text: text.replace(/"queue_position":\d+/g, "") });
    }
  }
  return views;
}

/**
 * Everybody makes the calls that are theirs: a matrix of refusals alone would also hold for a server that is down. Deletions
 * come last, and what a call made is deleted again, so that the places in the queue last.
 */
async function makeEntitledCalls(stage: Stage, calls: readonly Call[], judge: Judge): Promise<void> {
  const order = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const isClip = (call: Call) => call.subject === "clip";
  const depth = ({ path }: Call) => path.split("{").length;
  const sorted = [...calls].sort(
    (a, b) =>
      lastOfAll.indexOf(a.name) - lastOfAll.indexOf(b.name) ||
      order.indexOf(a.method) - order.indexOf(b.method) ||
      // A part before the whole that it goes with.
      depth(b) - depth(a) ||
      Number(isClip(b)) - Number(isClip(a)),
  );
  for (const call of sorted) {
    let isMade = false;
    for (const [place, thing] of thingsOf(stage, call).entries()) {
      let isGone = false;
      // Each kind of caller is the first for one of the things: the others find it deleted.
      const callers = [...believable.slice(place), ...believable.slice(0, place)];
      for (const caller of callers) {
        if ("refused" in expectation(call, caller, thing)) continue;
        await keepSignedIn(stage);
        const { status, text } = await make(stage, call, caller, thing);
        const expected = isGone ? [404] : documentedStatuses(call, thing);
        judge.check(
          expected.includes(status),
          `${call.name}${shownThing(thing)} by ${caller.name}: ${status}, not ${expected.join(" or ")}: ${text.slice(0, 200)}`,
        );
        if (status < 400) isMade = true;
        // Without a thing it switches something off, as often as one likes.
        if (status < 400 && call.method === "DELETE" && thing) isGone = true;
        if (status < 400 && call.method === "POST") await removeMade(stage, text);
      }
    }
    judge.check(isMade, `${call.name} was never carried out: the matrix gives it no body or thing it can be made with`);
  }
}

async function keepSignedIn({ owner, other }: Stage): Promise<void> {
  for (const player of [owner, other]) {
    const { authenticated } = await player.visitor.call<{ authenticated: boolean }>("GET", "/api/auth/status/");
    if (!authenticated) await player.visitor.signIn(player.steamId, player.name);
  }
}

async function removeMade({ owner, other, things }: Stage, text: string): Promise<void> {
  const made = text.startsWith("{") ? JSON.parse(text) : {};
  const isKept = (id: unknown) => [...things.match, ...things.clip].some((thing) => thing.id === String(id));
  for (const { visitor } of [owner, other]) {
    if ("part_bytes" in made && !things.upload.some(({ id }) => id === made.id))
      await visitor.request("DELETE", `/api/matches/uploads/${made.id}/`);
    else if ("render_status" in made && !isKept(made.id))
      await visitor.request("DELETE", `/api/matches/clips/${made.id}/delete/`);
    else if ("match_id" in made && !isKept(made.match_id))
      await visitor.request("DELETE", `/api/matches/${made.match_id}/delete/`);
  }
}

/* Forms of the pages */

/** In a short run a caller sends one of so many intents to a page, the next caller the next ones: each is sent to each page. */
const shortShare = 5;

/** Every form of the pages, with the fields of all of them: sent by visitors, by others and by other sites. */
async function attackPages(stage: Stage, isShort: boolean): Promise<Judge> {
  const judge = new Judge("a page's form from elsewhere is refused");
  const matchId = stage.things.match[0]?.id ?? "";
  const clipId = stage.things.clip[0]?.id ?? "";
  const intents = [
    "mark",
    "remove",
    "demo-url",
    "sample",
    "retry",
    "recent",
    "delete",
    "create",
    "like",
    "end-session",
    "delete-account",
    "new-token",
    "revoke-token",
    "retry-cause",
  ];
  for (const [pagePlace, page] of pagesWithForms().entries()) {
    const path = page.replace(/:(\w+)\??/g, (_, name: string) => (/clip/i.test(name) ? clipId : matchId));
    const callers = [...pretenders, ...forgers, ...believable.filter(({ is }) => is !== "owner")];
    for (const [callerPlace, caller] of callers.entries()) {
      // A page's own form carries the token in its cookies; what tells another site's from it is where it came from.
      const headers = caller.headers(stage);
      const isElsewhere = "Origin" in headers || "Sec-Fetch-Site" in headers;
      if (caller.is === "forger" && !isElsewhere) continue;
      // Everybody may view, and another player like.
      if (!isElsewhere && path.endsWith("/view")) continue;
      if (caller.is === "other" && path.endsWith("/like")) continue;
      for (const [place, intent] of intents.entries()) {
        if (isShort && (place + pagePlace + callerPlace) % shortShare !== 0) continue;
        const form = new URLSearchParams({ intent, match_id: matchId, demo_url: stage.demoUrl, inPlace: "1" });
        for (const id of stage.highlightIds) form.append("highlight", String(id));
        const response = await fetch(stage.url + path, {
          method: "POST",
          redirect: "manual",
          body: form,
          headers: { "User-Agent": userAgent, ...headers },
        });
        await response.arrayBuffer();
        const holds = isElsewhere ? response.status >= 400 && response.status < 500 : response.status < 500;
        judge.check(holds, `POST ${path} (${intent}) by ${caller.name}: ${response.status}`);
      }
    }
  }
  return judge;
}
