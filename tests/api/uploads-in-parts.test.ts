import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApi } from "../../backend/api/create-api.ts";
import { readConfig } from "../../backend/config.ts";
import { deleteUser, summarizeAccount } from "../../backend/library/delete-user.ts";
import { openServices } from "../../backend/open-services.ts";
import { runRetention } from "../../backend/retention/run-retention.ts";
import { openFolderBlobStore } from "../../backend/storage/folder-blob-store.ts";
import { migratedPlace } from "../../backend/storage/testing/fresh-database.ts";
import { limits } from "../../contract/limits.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import type { UploadState } from "../../contract/schemas/uploads.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { checkDescribed } from "../services/described-answers.ts";
import { startS3 } from "../services/s3.ts";
import { type RunningApi, startApi } from "./start-server.ts";

const MiB = 1024 ** 2;
const partBytes = limits.uploadPartBytes;
const { signal: never } = new AbortController();
/** Two whole parts and a rest. */
const file = randomBytes(2 * partBytes + 1000);
const partOf = (number: number) => file.subarray((number - 1) * partBytes, number * partBytes);
const address = (id: string, more = "") => `/api/matches/uploads/${id}/${more}`;
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

let server: RunningApi;

beforeAll(async () => {
  server = await startApi({ MAX_DOWNLOAD_BYTES: String(64 * MiB), REQUESTS_PER_MINUTE: "100000" }, "postgres");
});
afterAll(() => server.close());

let nextSteamId = 76561199999942000n;
const lastSteamId = () => String(nextSteamId - 1n);

async function newPlayer(url = server.url): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(url);
  await visitor.signIn(String(nextSteamId++), "uploader");
  return visitor;
}

const begin = (player: ApiVisitor, bytes = file.length) =>
  player.call<UploadState>("POST", "/api/matches/uploads/", { file_name: "C:\\demos\\match.dem.gz", bytes });

type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

async function put(player: ApiVisitor, id: string, number: number, body: Body = partOf(number)): Promise<Response> {
  const path = address(id, `parts/${number}/`);
  const response = await fetch(player.address(path), {
    method: "PUT",
    body,
    headers: {
      "Content-Type": "application/octet-stream",
      Cookie: player.cookieHeader,
      "X-XSRF-TOKEN": decodeURIComponent(player.cookies.get("XSRF-TOKEN") ?? ""),
    },
    duplex: "half",
  } as RequestInit);
  await checkDescribed("PUT", path, response);
  return response;
}

/** @returns the status and, of an error, its code; else how much is there */
async function outcome(asked: Response | Promise<Response>): Promise<[number, unknown]> {
  const response = await asked;
  const body = (await response.json().catch(() => null)) as Partial<UploadState> & { error?: string };
  return [response.status, body?.error ?? body?.received_bytes];
}

const chunked = (bytes: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });

const unfinished = ({ services }: Pick<RunningApi, "services"> = server) =>
  readdirSync(join(services.config.DATA_DIR, "blobs", ".unfinished"));
const scratch = () => readdirSync(server.services.scratchDirectory);
const blob = async (id: string) => (await server.services.blobs.stat(`uploads/${id}`))?.bytes ?? null;

/** Takes the imports that wait from the queue, where a player has four places. */
async function makeRoom(): Promise<void> {
  for (const { id } of await server.services.database.selectFrom("matches").select("id").execute()) {
    await server.services.jobs.cancel("import", { matchId: id });
  }
}

test("A file in parts is taken in order, each part once and of its length, and is imported once", async () => {
  const player = await newPlayer();
  const upload = await begin(player);
  expect(upload).toEqual({ id: upload.id, part_bytes: partBytes, received_bytes: 0, bytes: file.length });
  const { id } = upload;
  expect(await outcome(put(player, id, 2))).toEqual([409, "part_out_of_order"]);
  expect(await outcome(put(player, id, 1, partOf(1).subarray(1)))).toEqual([400, "part_length"]);
  expect(await outcome(put(player, id, 1, chunked(partOf(1).subarray(1))))).toEqual([400, "part_length"]);
  expect(await outcome(put(player, id, 1, new Uint8Array(partBytes + 1)))).toEqual([413, "body_too_large"]);
  expect(await outcome(put(player, id, 1, chunked(new Uint8Array(partBytes + 1))))).toEqual([413, "body_too_large"]);
  expect(await outcome(put(player, id, 1, new Uint8Array(0)))).toEqual([400, "part_length"]);
  expect(await player.call("GET", address(id))).toEqual(upload);

  expect(await outcome(put(player, id, 1))).toEqual([200, partBytes]);
  // What is sent for a part that is here is not even read.
  expect(await outcome(put(player, id, 1, randomBytes(partBytes)))).toEqual([200, partBytes]);
  expect(await outcome(put(player, id, 1, new Uint8Array(5)))).toEqual([200, partBytes]);
  expect(await outcome(player.request("POST", address(id, "import/")))).toEqual([409, "upload_incomplete"]);
  expect(await outcome(put(player, id, 2, chunked(partOf(2))))).toEqual([200, 2 * partBytes]);
  expect(await outcome(put(player, id, 3, chunked(new Uint8Array(1001))))).toEqual([400, "part_length"]);
  expect(await outcome(put(player, id, 3))).toEqual([200, file.length]);
  expect(await outcome(put(player, id, 4, new Uint8Array(1)))).toEqual([409, "part_out_of_order"]);
  expect(await blob(id)).toBeNull();

  const presses = await Promise.all([1, 2].map(() => player.request("POST", address(id, "import/"))));
  const again = await player.request("POST", address(id, "import/"));
  expect([...presses, again].map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  const matches = await Promise.all([...presses, again].map(async (answer) => (await answer.json()) as MatchDetail));
  expect(new Set(matches.map(({ match_id }) => match_id)).size).toBe(1);
  const row = await server.services.database
    .selectFrom("matches")
    .select(["upload_key", "upload_bytes", "file_name", "source"])
    .where("id", "=", matches[0]!.match_id)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({
    ...{ upload_key: `uploads/${id}`, upload_bytes: file.length, file_name: "match.dem.gz", source: "upload" },
  });
  const stored = await server.services.blobs.openLocal(`uploads/${id}`);
  expect(hash(readFileSync(stored.path))).toBe(hash(file));
  await stored.release();
  expect(unfinished()).toEqual([]);
  expect(scratch()).toEqual([]);

  // A cancel that comes too late takes no match away; a deleted match takes its upload along.
  expect((await player.request("DELETE", address(id))).status).toBe(204);
  expect(await blob(id)).toBe(file.length);
  expect((await player.request("GET", `/api/matches/${matches[0]!.match_id}/`)).status).toBe(200);
});

test("A match that was deleted is not made anew by another press", async () => {
  const player = await newPlayer();
  const { id } = await begin(player, 4);
  await put(player, id, 1, Buffer.from("demo"));
  const { match_id } = await player.call<MatchDetail>("POST", address(id, "import/"));
  await player.call("DELETE", `/api/matches/${match_id}/delete/`);
  expect(await outcome(player.request("POST", address(id, "import/")))).toEqual([404, "not_found"]);
  expect(await blob(id)).toBeNull();
});

test("An upload is its player's alone", async () => {
  const player = await newPlayer();
  const { id } = await begin(player);
  for (const visitor of [await newPlayer(), new ApiVisitor(server.url)]) {
    const status = visitor.cookies.size > 0 ? 404 : 401;
    for (const [method, path] of [
      ["GET", address(id)],
      ["DELETE", address(id)],
      ["POST", address(id, "import/")],
    ] as const) {
      expect((await visitor.request(method, path)).status).toBe(status);
    }
    expect((await put(visitor, id, 1)).status).toBe(status);
  }
  expect(await outcome(put(player, id, 1))).toEqual([200, partBytes]);
});

test("Two requests with the same part at once store it once", async () => {
  const player = await newPlayer();
  const { id } = await begin(player);
  const answers = await Promise.all([put(player, id, 1), put(player, id, 1)]);
  expect(await Promise.all(answers.map(outcome))).toEqual(Array(2).fill([200, partBytes]));
  const { part_tags } = await server.services.database
    .selectFrom("uploads")
    .select("part_tags")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(part_tags).toHaveLength(1);
});

/** A body that stands still until it is released. */
function held(bytes: Uint8Array) {
  let release = () => {};
  const waiting = new Promise<void>((resolve) => {
    release = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.subarray(0, 1000));
      await waiting;
      controller.enqueue(bytes.subarray(1000));
      controller.close();
    },
  });
  return { body, release };
}

test("Two parts of a player are received at once, a third is refused for the moment", async () => {
  const player = await newPlayer();
  const uploads = [await begin(player), await begin(player), await begin(player)];
  const [first, second] = [held(partOf(1)), held(partOf(1))];
  const answers = [put(player, uploads[0]!.id, 1, first.body), put(player, uploads[1]!.id, 1, second.body)];
  await expect.poll(() => scratch().length).toBe(2);
  expect(await outcome(put(player, uploads[2]!.id, 1))).toEqual([429, "upload_limit"]);
  expect(await outcome(player.request("POST", "/api/matches/uploads/", { file_name: "a.dem", bytes: 1 }))).toEqual([
    429,
    "upload_limit",
  ]);
  first.release();
  second.release();
  expect(await Promise.all(answers.map(outcome))).toEqual(Array(2).fill([200, partBytes]));
  expect(await outcome(put(player, uploads[2]!.id, 1))).toEqual([200, partBytes]);
  expect(scratch()).toEqual([]);
});

test("A server that is started anew goes on with the part that is missing", async () => {
  const { DATA_DIR } = await migratedPlace("embedded");
  const config = readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", HISTORY_PROVIDER: "none", DATA_DIR });
  const start = async () => {
    const { services, close } = await openServices(config);
    const running = serve({ fetch: createApi(services).fetch, port: 0, hostname: "127.0.0.1" });
    await new Promise((resolve) => running.once("listening", resolve));
    return {
      services,
      url: `http://localhost:${(running.address() as AddressInfo).port}`,
      async stop() {
        if ("closeAllConnections" in running) running.closeAllConnections();
        await new Promise((resolve) => running.close(resolve));
        await close();
      },
    };
  };
  let running = await start();
  const before = await newPlayer(running.url);
  const { id } = await begin(before);
  expect(await outcome(put(before, id, 1))).toEqual([200, partBytes]);
  await running.stop();

  running = await start();
  const player = new ApiVisitor(running.url, before.cookies);
  expect(await outcome(player.request("GET", address(id)))).toEqual([200, partBytes]);
  for (const number of [2, 3]) expect((await put(player, id, number)).status).toBe(200);
  expect((await player.request("POST", address(id, "import/"))).status).toBe(201);
  const stored = await running.services.blobs.openLocal(`uploads/${id}`);
  expect(hash(readFileSync(stored.path))).toBe(hash(file));
  await stored.release();
  await running.stop();
});

const startApiOn = ({ endpoint, bucket, region, accessKeyId, secretAccessKey }: Awaited<ReturnType<typeof startS3>>) =>
  startApi({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  });

test("An S3 store has the parts, and nothing of them is left when the file is whole or the upload ended", async () => {
  const s3 = await startS3();
  const other = await startApiOn(s3);
  try {
    const player = await newPlayer(other.url);
    const { id } = await begin(player);
    const { id: cancelled } = await begin(player);
    await put(player, cancelled, 1);
    // Stored once: another part of the same number would not be the one that the row knows.
    await Promise.all([put(player, id, 1), put(player, id, 1)]);
    expect(s3.requests.filter((request) => request === `PUT /${s3.bucket}/uploads/${id}`)).toHaveLength(1);
    for (const number of [2, 3]) expect((await put(player, id, number)).status).toBe(200);
    expect(s3.openUploads()).toBe(2);
    s3.spoilNextCompletion("lost");
    expect((await player.request("POST", address(id, "import/"))).status).toBe(201);
    expect((await player.request("POST", address(id, "import/"))).status).toBe(200);
    expect(hash(s3.objects.get(`uploads/${id}`)!.bytes)).toBe(hash(file));
    await player.call("DELETE", address(cancelled));
    expect(s3.openUploads()).toBe(0);
    expect([...s3.objects.keys()]).toEqual([`uploads/${id}`]);
  } finally {
    await other.close();
    await s3.stop();
  }
});

test("Whoever asks how much is here learns that the store is away, before a part is sent for nothing", async () => {
  const s3 = await startS3();
  const other = await startApiOn(s3);
  try {
    const player = await newPlayer(other.url);
    const { id } = await begin(player);
    await put(player, id, 1);
    await s3.halt();
    expect(await outcome(put(player, id, 2))).toEqual([503, "unavailable"]);
    expect(await outcome(player.request("GET", address(id)))).toEqual([503, "unavailable"]);
    await s3.resume();
    await expect.poll(() => outcome(player.request("GET", address(id))), { timeout: 10_000 }).toEqual([200, partBytes]);
    expect(await outcome(put(player, id, 2))).toEqual([200, 2 * partBytes]);
  } finally {
    await other.close();
    await s3.stop();
  }
});

test("A cancelled upload is gone, with what was sent of it, even by a part that was on its way", async () => {
  const player = await newPlayer();
  const before = unfinished();
  const { id } = await begin(player);
  await put(player, id, 1);
  const last = held(partOf(2));
  const answer = put(player, id, 2, last.body);
  await expect.poll(() => scratch().length).toBe(1);
  expect((await player.request("DELETE", address(id))).status).toBe(204);
  expect(unfinished()).toEqual(before);
  last.release();
  expect(await outcome(answer)).toEqual([404, "not_found"]);
  expect(await outcome(player.request("GET", address(id)))).toEqual([404, "not_found"]);
  expect(await outcome(player.request("DELETE", address(id)))).toEqual([404, "not_found"]);
  expect(unfinished()).toEqual(before);
});

test("An upload ends a day after its last part, and not before", async () => {
  const other = await startApi();
  try {
    const player = await newPlayer(other.url);
    const { id } = await begin(player);
    const { id: imported } = await begin(player, 4);
    await put(player, imported, 1, Buffer.from("demo"));
    await player.call("POST", address(imported, "import/"));
    other.passTime(23 * 3600_000);
    await put(player, id, 1);
    other.passTime(23 * 3600_000);
    expect(await runRetention(other.services, never)).toMatchObject({ uploads: 1 });
    expect(unfinished(other)).toHaveLength(1);
    expect((await other.services.blobs.stat(`uploads/${imported}`))?.bytes).toBe(4);
    await other.services.database
      .updateTable("sessions")
      .set({ expires_at: new Date(Date.now() * 2) })
      .execute();
    other.passTime(2 * 3600_000);
    expect(await runRetention(other.services, never)).toMatchObject({ uploads: 1 });
    expect(unfinished(other)).toEqual([]);
    expect(await outcome(player.request("GET", address(id)))).toEqual([404, "not_found"]);
  } finally {
    await other.close();
  }
});

test("Parts that no row knows are deleted after a day, by the hour and at the start", async () => {
  const other = await startApi();
  const folder = join(other.services.config.DATA_DIR, "blobs");
  const old = new Date(Date.now() - 25 * 3600_000);
  const leave = async (at: Date) => {
    const name = await other.services.blobs.beginParts("uploads/left", "application/octet-stream");
    utimesSync(join(folder, ".unfinished", name), at, at);
    return name;
  };
  try {
    await leave(old);
    const young = await leave(new Date());
    expect(await runRetention(other.services, never)).toMatchObject({ orphanBlobs: 1 });
    expect(unfinished(other)).toEqual([young]);
    await leave(old);
    await openFolderBlobStore(folder);
    expect(unfinished(other)).toEqual([young]);
  } finally {
    await other.close();
  }
});

test("An account that is deleted takes its uploads along, and a part that is on its way", async () => {
  const { services } = server;
  const player = await newPlayer();
  const steamId = lastSteamId();
  const before = unfinished();
  const { id } = await begin(player);
  await put(player, id, 1);
  const last = held(partOf(2));
  const answer = put(player, id, 2, last.body);
  await expect.poll(() => scratch().length).toBe(1);
  await deleteUser(services, (await summarizeAccount(services, steamId))!);
  last.release();
  expect((await answer).status).toBe(404);
  expect(unfinished()).toEqual(before);
  expect(await services.database.selectFrom("uploads").select("id").where("id", "=", id).execute()).toEqual([]);
  expect(await services.database.selectFrom("users").select("id").where("steam_id", "=", steamId).execute()).toEqual(
    [],
  );
});

test("A fifth unfinished upload ends the one that was left alone longest", async () => {
  const player = await newPlayer();
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) {
    ids.push((await begin(player)).id);
    server.passTime(1000);
  }
  const before = unfinished().length;
  await put(player, ids[0]!, 1);
  await begin(player);
  const left = await Promise.all(ids.map(async (id) => (await player.request("GET", address(id))).status));
  expect(left).toEqual([200, 404, 200, 200]);
  expect(unfinished()).toHaveLength(before);
});

test("An upload that would be refused whole is refused before its first part", async () => {
  const { services } = server;
  const player = await newPlayer();
  const ask = (bytes: number) => player.request("POST", "/api/matches/uploads/", { file_name: "a.dem", bytes });
  expect(await outcome(ask(64 * MiB + 1))).toEqual([413, "file_too_large"]);
  expect(await outcome(ask(0))).toEqual([400, "invalid"]);
  services.config.USER_DISK_BYTES = 10 * MiB;
  expect(await outcome(ask(10 * MiB + 1))).toEqual([409, "disk_quota"]);
  services.config.USER_DISK_BYTES = undefined;
  const { diskSpace } = services;
  services.diskSpace = { ...diskSpace, isShort: () => true };
  expect(await outcome(ask(1))).toEqual([507, "disk_full"]);
  services.diskSpace = diskSpace;
  for (let count = 0; count < 4; count++) {
    await player.call("POST", "/api/matches/upload-demo/", { demo_url: `https://demos.example/p${count}.dem` });
  }
  expect(await outcome(ask(1))).toEqual([429, "imports_under_way"]);
  await makeRoom();
});

test("A file of which everything is here waits for a place among the imports, and for room", async () => {
  const { services } = server;
  const player = await newPlayer();
  const { id } = await begin(player);
  for (const number of [1, 2, 3]) await put(player, id, number);
  for (let count = 0; count < 4; count++) {
    await player.call("POST", "/api/matches/upload-demo/", { demo_url: `https://demos.example/q${count}.dem` });
  }
  const press = () => outcome(player.request("POST", address(id, "import/")));
  expect(await press()).toEqual([429, "imports_under_way"]);
  await makeRoom();
  services.config.USER_DISK_BYTES = MiB;
  expect(await press()).toEqual([409, "disk_quota"]);
  services.config.USER_DISK_BYTES = undefined;
  expect(await outcome(player.request("GET", address(id)))).toEqual([200, file.length]);
  expect((await press())[0]).toBe(201);
});

test("A file that waits for room stays for a day after its last part, however long ago it was begun", async () => {
  const s3 = await startS3();
  const other = await startApiOn(s3);
  const { services } = other;
  try {
    const player = await newPlayer(other.url);
    const { id } = await begin(player, partBytes + 4);
    await put(player, id, 1);
    other.passTime(23 * 3600_000);
    await put(player, id, 2, Buffer.from("demo"));
    services.config.USER_DISK_BYTES = MiB;
    expect(await outcome(player.request("POST", address(id, "import/")))).toEqual([409, "disk_quota"]);
    services.config.USER_DISK_BYTES = undefined;
    other.passTime(2 * 3600_000);
    expect(await runRetention(services, never)).toMatchObject({ uploads: 0, orphanBlobs: 0 });
    expect((await player.request("POST", address(id, "import/"))).status).toBe(201);

    const { id: left } = await begin(player, 4);
    await put(player, left, 1, Buffer.from("demo"));
    services.config.USER_DISK_BYTES = MiB;
    expect(await outcome(player.request("POST", address(left, "import/")))).toEqual([409, "disk_quota"]);
    other.passTime(25 * 3600_000);
    await runRetention(services, never);
    expect([...s3.objects.keys()]).toEqual([`uploads/${id}`]);
  } finally {
    await other.close();
    await s3.stop();
  }
});

test("A full disk refuses a part and keeps what is here", async () => {
  const { services } = server;
  const { diskSpace } = services;
  const player = await newPlayer();
  const { id } = await begin(player);
  await put(player, id, 1);
  services.diskSpace = { ...diskSpace, isShort: () => true };
  expect(await outcome(put(player, id, 2))).toEqual([507, "disk_full"]);
  let isFull = false;
  services.diskSpace = { ...diskSpace, isShort: () => false, isFull: () => isFull };
  const part = held(partOf(2));
  const answer = put(player, id, 2, part.body);
  await expect.poll(() => scratch().length).toBe(1);
  isFull = true;
  expect(await outcome(answer)).toEqual([507, "disk_full"]);
  part.release();
  services.diskSpace = diskSpace;
  expect(await outcome(put(player, id, 2))).toEqual([200, 2 * partBytes]);
  expect(scratch()).toEqual([]);
});

test("An upload whose parts the store no longer has is gone, and is begun anew", async () => {
  const { services } = server;
  const player = await newPlayer();
  const handleOf = async (id: string) => {
    const rows = services.database.selectFrom("uploads").select("store_handle").where("id", "=", id);
    return { key: `uploads/${id}`, handle: (await rows.executeTakeFirstOrThrow()).store_handle };
  };
  const { id } = await begin(player);
  await put(player, id, 1);
  await services.blobs.abortParts(await handleOf(id));
  expect(await outcome(put(player, id, 2))).toEqual([404, "not_found"]);
  expect(await outcome(player.request("GET", address(id)))).toEqual([404, "not_found"]);

  const { id: whole } = await begin(player, 4);
  await put(player, whole, 1, Buffer.from("demo"));
  await services.blobs.abortParts(await handleOf(whole));
  expect(await outcome(player.request("POST", address(whole, "import/")))).toEqual([404, "not_found"]);
  expect(await outcome(player.request("GET", address(whole)))).toEqual([404, "not_found"]);
});
