import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiVisitor } from "../services/api-visitor.ts";
import { callWithToken, tokenOf } from "../services/token-calls.ts";
import { uniqueSteamId } from "../services/unique.ts";
import { type RunningApi, startApi } from "./start-server.ts";

const limit = 12;

let server: RunningApi;
let player: ApiVisitor;

beforeAll(async () => {
  server = await startApi({ TOKEN_REQUESTS_PER_MINUTE: String(limit) });
  player = new ApiVisitor(server.url);
  await player.signIn(uniqueSteamId(), "scripter");
});
afterAll(() => server.close());

function told({ headers }: Response) {
  const rest = /^"token";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "");
  return { policy: headers.get("ratelimit-policy"), left: Number(rest?.[1]), seconds: Number(rest?.[2]) };
}

/** A whole minute lies ahead of what follows. */
async function beginMinute() {
  const second = new Date(server.services.now()).getSeconds();
  server.passTime((61 - second) * 1000);
}

test("Every answer to a token says what is left of its minute, errors and the 429 included, and other callers read nothing", async () => {
  const { token } = await tokenOf(player, ["read"]);
  await beginMinute();
  const call = (method: string, path: string) =>
    callWithToken(server.url, token, method, path, undefined, { Origin: "https://scripts.example" });
  const answers = [
    await call("GET", "/api/matches/"),
    await call("GET", "/api/matches/nowhere/"),
    await call("POST", "/api/auth/logout-everywhere/"),
    await call("GET", "/api/nothing-here/"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 403, 404]);
  expect(answers.map((answer) => told(answer).left)).toEqual([limit - 1, limit - 2, limit - 3, limit - 4]);
  for (const answer of answers) {
    expect(told(answer).policy).toBe(`"token";q=${limit};w=60`);
    expect(told(answer).seconds).toBeGreaterThan(0);
    expect(told(answer).seconds).toBeLessThanOrEqual(60);
    expect(answer.headers.get("access-control-expose-headers")).toMatch(/RateLimit, RateLimit-Policy/);
  }
  let last = answers[0]!;
  for (let calls = answers.length; calls <= limit; calls++) last = await call("GET", "/api/matches/");
  expect(last.status).toBe(429);
  expect(told(last)).toMatchObject({ left: 0, policy: `"token";q=${limit};w=60` });
  expect(Math.abs(Number(last.headers.get("retry-after")) - told(last).seconds)).toBeLessThanOrEqual(1);

  // Another token has its own; its player's session, a visitor and files are counted otherwise.
  const other = await tokenOf(player, ["read"]);
  expect(told(await callWithToken(server.url, other.token, "GET", "/api/matches/")).left).toBe(limit - 1);
  for (const answer of [
    await player.request("GET", "/api/matches/"),
    await callWithToken(server.url, null, "GET", "/api/site/"),
    await callWithToken(server.url, other.token, "GET", "/video/clips/1/"),
    await callWithToken(server.url, "clutchcast_pat_invented", "GET", "/api/site/"),
  ]) {
    expect([...answer.headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  }
});

test("The document describes both headers where they are sent", async () => {
  const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, { headers?: object }> }>>;
    components: { headers: Record<string, { example: string }> };
  };
  expect(Object.keys(document.components.headers)).toEqual(["RateLimit", "RateLimit-Policy"]);
  const headersOf = (path: string, method: string, status: string) =>
    Object.keys(document.paths[path]?.[method]?.responses[status]?.headers ?? {});
  expect(headersOf("/api/matches/", "get", "200")).toEqual(["RateLimit", "RateLimit-Policy"]);
  expect(headersOf("/api/matches/", "get", "429")).toEqual(["Retry-After", "RateLimit", "RateLimit-Policy"]);
  expect(headersOf("/api/account/tokens/", "get", "200")).toEqual([]);
  expect(headersOf("/video/clips/{id}/", "get", "200")).toEqual([]);
});
