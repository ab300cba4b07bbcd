import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PermanentJobError } from "../../backend/jobs/job-queue.ts";
import { giveSigns } from "../../backend/supervision/process-signs.ts";
import { blobKind, countStoredBlobs } from "../../backend/supervision/storage-census.ts";
import { productVersion } from "../../backend/supervision/versions.ts";
import { apiRoutes } from "../../contract/api-routes.ts";
import type { FailurePage, OperatorOverview } from "../../contract/schemas/operator.ts";
import { tokenScopes } from "../../contract/token-scopes.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { callWithToken, tokenOf } from "../services/token-calls.ts";
import { type RunningApi, startApi } from "./start-server.ts";

const operatorId = "76561198000000001";
const playerId = "76561198000000002";
const noJob = "11111111-1111-4111-8111-111111111111";

let backups: string;
let server: RunningApi;
let operator: ApiVisitor;
let player: ApiVisitor;

beforeAll(async () => {
  backups = mkdtempSync(join(tmpdir(), "clutchcast-backups-"));
  server = await startApi({ OPERATOR_STEAM_IDS: operatorId, BACKUP_DIR: backups, REQUESTS_PER_MINUTE: "100000" });
  operator = new ApiVisitor(server.url);
  player = new ApiVisitor(server.url);
  await operator.signIn(operatorId, "Operator");
  await player.signIn(playerId, "Player");
});
afterAll(async () => {
  await server.close();
  rmSync(backups, { recursive: true });
});

test("Only an operator is told that they are one", async () => {
  expect(await operator.call("GET", "/api/auth/status/")).toMatchObject({ user: { is_operator: true } });
  const { user } = await player.call<{ user: object }>("GET", "/api/auth/status/");
  expect(user).not.toHaveProperty("is_operator");
});

test("An operator's own access token, whatever it may, is told of nothing here", async () => {
  const { token } = await tokenOf(operator, tokenScopes);
  for (const { method, path } of Object.values(apiRoutes.operator)) {
    const body = method === "post" ? { queue: "x" } : undefined;
    const { status } = await callWithToken(server.url, token, method.toUpperCase(), path.replace(":id", noJob), body);
    expect(status, path).toBe(404);
  }
});

test("An operator's calls answer everybody else as an address that no call has, whatever the method", async () => {
  const paths = Object.values(apiRoutes.operator).map(({ path }) => path.replace(":id", noJob));
  expect(paths.length).toBeGreaterThan(3);
  const told = async (visitor: ApiVisitor, method: string, path: string) => {
    const response = await visitor.request(method, path, method === "POST" ? { queue: "x" } : undefined);
    const headers = Object.fromEntries(response.headers);
    for (const name of ["date", "x-request-id"]) delete headers[name];
    return { status: response.status, headers, body: await response.text() };
  };
  for (const visitor of [player, new ApiVisitor(server.url)]) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const nothing = await told(visitor, method, "/api/operator/there/is/nothing/");
      expect(nothing.status).toBe(404);
      for (const path of [...paths, ...paths.map((path) => path.slice(0, -1))]) {
        expect(await told(visitor, method, path), `${method} ${path}`).toEqual(nothing);
      }
    }
  }
});

test("An operator sees queues, processes, storage, backup, versions and no secret", async () => {
  const { services } = server;
  writeFileSync(join(backups, "clutchcast-2026-11-22.backup"), "x".repeat(1000));
  const playerRow = services.database.selectFrom("users").select("id").where("steam_id", "=", playerId);
  const { id: player_id } = await playerRow.executeTakeFirstOrThrow();
  await services.database.insertInto("user_totals").values({ user_id: player_id, bytes: 5_000_000_000 }).execute();
  const before = await operator.call<OperatorOverview>("GET", "/api/operator/");
  expect(before).toMatchObject({ workers_answer: false, processes: [], storage: { counted: null } });

  const signs = await giveSigns(services);
  await services.jobs.send("map", { map: "de_nuke" }, { ownerId: null });
  const stored = join(services.scratchDirectory, "stored");
  writeFileSync(stored, "x".repeat(1234));
  await services.blobs.putFile("clips/1/vertical-video-3f2a.mp4", stored, "video/mp4");
  expect(await countStoredBlobs(services)).toBe(true);

  const seen = await operator.call<OperatorOverview>("GET", "/api/operator/");
  expect(seen.workers_answer).toBe(true);
  expect(seen.processes).toMatchObject([{ role: "all", pid: process.pid, version: productVersion, answers: true }]);
  expect(seen.queues.find(({ name }) => name === "map")).toMatchObject({
    waiting: 1,
    running: 0,
    oldest_waiting_seconds: expect.any(Number),
  });
  expect(seen.queues.find(({ name }) => name === "render")).toMatchObject({ waiting: 0, oldest_waiting_seconds: null });
  expect(seen.storage.counted?.kinds.find(({ kind }) => kind === "videos")).toMatchObject({ count: 1, bytes: 1234 });
  expect(seen.storage.database_bytes).toBeGreaterThan(1e6);
  expect(seen.storage.users).toEqual([{ steam_id: playerId, name: "Player", bytes: 5e9 }]);
  expect(seen.storage.free_bytes).toBeGreaterThan(0);
  expect(seen.backup?.newest).toMatchObject({ file: "clutchcast-2026-11-22.backup", bytes: 1000, kept: 1 });
  expect(seen.versions.map(({ value }) => value)).not.toContain("");
  expect(seen.configuration.map(({ name }) => name).join()).not.toMatch(/SECRET|PASSWORD|DATABASE_URL|KEY_ID/);
  await signs.end();
  expect((await operator.call<OperatorOverview>("GET", "/api/operator/")).processes).toEqual([]);
});

test("A failure shows the player's sentence and its cause, and goes back to the queue once", async () => {
  const { services } = server;
  const user = await services.database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", playerId)
    .executeTakeFirstOrThrow();
  for (const id of ["broken1", "broken2", "broken3"]) {
    await services.database
      .insertInto("matches")
      .values({
        id,
        user_id: user.id,
        source: "url",
        status: "failed",
        error: "The demo could not be read.",
        created_at: services.now(),
      })
      .execute();
    await services.jobs.send("import", { matchId: id }, { ownerId: user.id });
  }
  let fails = true;
  const done: string[] = [];
  await services.jobs.work("import", 1, async ({ matchId }) => {
    if (fails) throw new PermanentJobError("unexpected end of file\n    at offset 12");
    done.push(matchId);
    await services.database.updateTable("matches").set({ status: "completed" }).where("id", "=", matchId).execute();
  });
  const failures = () => operator.call<FailurePage>("GET", "/api/operator/failures/?limit=2");
  await expect.poll(async () => (await services.jobs.failureCauses(5)).count, { timeout: 20_000 }).toBe(3);

  const page = await failures();
  expect(page.results).toHaveLength(2);
  expect(page.count).toBe(3);
  expect(page.causes).toMatchObject([{ queue: "import", cause: "unexpected end of file", count: 3 }]);
  expect(page.results[0]).toMatchObject({
    sentence: "The demo could not be read.",
    cause: "unexpected end of file",
    attempts: 1,
    player: { steam_id: playerId, name: "Player" },
    href: null,
    standing: "failed",
  });

  fails = false;
  const again = `/api/operator/failures/${page.results[0]!.id}/retry/`;
  expect(await operator.call("POST", again)).toMatchObject({ requeued: 1 });
  await expect.poll(() => done.length, { timeout: 20_000 }).toBe(1);
  expect((await operator.request("POST", again)).status).toBe(409);
  expect((await operator.request("POST", `/api/operator/failures/${noJob}/retry/`)).status).toBe(409);

  const cause = { queue: "import", cause: "unexpected end of file" };
  expect(await operator.call("POST", "/api/operator/failures/retry-cause/", cause)).toMatchObject({ requeued: 2 });
  await expect.poll(() => done.sort(), { timeout: 20_000 }).toEqual(["broken1", "broken2", "broken3"]);
  expect(await failures()).toMatchObject({ count: 0, results: [], causes: [] });
});

test("A store is counted bit by bit, by one process at a time", async () => {
  const { services } = server;
  const put = async (key: string) => {
    const path = join(services.scratchDirectory, "blob");
    writeFileSync(path, "12345");
    await services.blobs.putFile(key, path, "application/octet-stream");
  };
  const keys = [
    "clips/2/poster-a.jpg",
    "clips/2/loop-a.mp4",
    "demos/ab/track-a.bin",
    "demos/ab/demo-a.bin",
    "uploads/a",
  ];
  for (const key of keys) await put(key);
  const parts = [];
  for (let part = 0; part < 3; part++) parts.push(await countStoredBlobs(services, { most: 2, everyMs: 0 }));
  const [first, second] = await Promise.all([
    countStoredBlobs(services, { most: 2, everyMs: 0 }),
    countStoredBlobs(services, { most: 2, everyMs: 0 }),
  ]);
  expect([...parts, first !== second]).toEqual([true, true, true, true]);
  const { storage } = await operator.call<OperatorOverview>("GET", "/api/operator/");
  const counted = storage
    .counted!.kinds.filter(({ count }) => count > 0)
    .map(({ kind, count, bytes }) => [kind, count, bytes]);
  expect(counted).toEqual([
    ["videos", 1, 1234],
    ["pictures", 1, 5],
    ["loops", 1, 5],
    ["tracks", 1, 5],
    ["demos", 1, 5],
    ["uploads", 1, 5],
  ]);
  expect(blobKind("clips/2/vertical-poster-a.jpg")).toBe("pictures");
  expect(blobKind("demos/ab/still-7-c0ffee.webp")).toBe("match_pictures");
  expect(blobKind("elsewhere/x")).toBe("other");
});
