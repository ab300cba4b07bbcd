import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSession, startSession } from "../accounts/sessions.ts";
import { createToken } from "../accounts/tokens.ts";
import { readConfig } from "../config.ts";
import { PermanentJobError } from "../jobs/job-queue.ts";
import { openServices } from "../open-services.ts";
import type { Services } from "../services.ts";
import { programOf } from "../storage/testing/fork-source.ts";
import { migratedPlace } from "../storage/testing/fresh-database.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { runOperatorCommand } from "./operator-commands.ts";
import { OperatorError } from "./operator-error.ts";
import { askRunningServer, operatorSocketPath } from "./operator-socket.ts";

const steamIds = { device: "76561198000000001", zywoo: "76561198000000002" };

async function putBlob({ blobs, scratchDirectory }: Services, key: string): Promise<string> {
  const path = join(scratchDirectory, randomBytes(6).toString("hex"));
  writeFileSync(path, key);
  await blobs.putFile(key, path, "application/octet-stream");
  return key;
}

async function keysOf({ blobs }: Services): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of blobs.list("")) keys.push(key);
  return keys.sort();
}

async function addUser({ database }: Services, name: keyof typeof steamIds): Promise<number> {
  const user = await database
    .insertInto("users")
    .values({ steam_id: steamIds[name], steam_name: name })
    .returning("id")
    .executeTakeFirstOrThrow();
  return user.id;
}

async function addDemo(services: Services, name: string): Promise<string> {
  const sha256 = name.padStart(64, "0");
  await services.database
    .insertInto("demos")
    .values({
      sha256,
      map: "de_mirage",
      game_mode: "Matchmaking",
      server_name: "",
      timing: JSON.stringify({ tickRate: 64, rounds: [] }),
      players: JSON.stringify([]),
      teams: JSON.stringify([]),
      track_key: await putBlob(services, `demos/${name}/track.bin`),
      detector_version: 1,
      created_at: services.now(),
    })
    .execute();
  return sha256;
}

async function addMatch(services: Services, userId: number, id: string, sha256: string | null): Promise<void> {
  await services.database
    .insertInto("matches")
    .values({
      id,
      user_id: userId,
      demo_sha256: sha256,
      source: "url",
      status: sha256 ? "completed" : "failed",
      created_at: services.now(),
    })
    .execute();
}

async function addClip(services: Services, userId: number, matchId: string, sha256: string): Promise<number> {
  const { database } = services;
  const { id } = await database
    .insertInto("clips")
    .values({
      user_id: userId,
      match_id: matchId,
      demo_sha256: sha256,
      name: "Clutch",
      spec: JSON.stringify({}),
      settings: JSON.stringify({}),
      status: "failed",
      created_at: services.now(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const key = await putBlob(services, `clips/${id}/video.mp4`);
  await database
    .updateTable("clips")
    .set({ status: "completed", video_key: key, poster_key: key, thumbnail_key: key })
    .where("id", "=", id)
    .execute();
  return id;
}

for (const kind of ["embedded", "postgres"] as const) {
  test(`deleting a user takes everything of his and nothing of others on ${kind}`, async () => {
    const { services, remove } = await freshServices(kind);
    const { database } = services;
    const [device, zywoo] = [await addUser(services, "device"), await addUser(services, "zywoo")];
    const own = await addDemo(services, "aa");
    const shared = await addDemo(services, "bb");
    await addMatch(services, device, "own", own);
    await addMatch(services, device, "shared1", shared);
    await addMatch(services, zywoo, "shared2", shared);
    await addClip(services, device, "own", own);
    const liked = await addClip(services, zywoo, "shared2", shared);
    await database.updateTable("clips").set({ likes_count: 2 }).where("id", "=", liked).execute();
    await database.insertInto("likes").values({ user_id: device, clip_id: liked }).execute();
    await database.insertInto("likes").values({ user_id: zywoo, clip_id: liked }).execute();
    await database
      .insertInto("sessions")
      .values({ id_hash: "s", user_id: device, expires_at: new Date(Date.now() + 1e6) })
      .execute();
    for (const userId of [device, zywoo]) {
      await createToken(services, userId, { name: "script", scopes: ["read"], expires_in_days: null });
    }

    const command = ["delete-user", steamIds.device];
    await expect(runOperatorCommand(services, command)).rejects.toThrow(
      `device (${steamIds.device}) has 2 matches, 1 clip, 1 like. Nothing was deleted yet: add --yes`,
    );
    expect(await database.selectFrom("users").select("id").execute()).toHaveLength(2);

    expect(await runOperatorCommand(services, [...command, "--yes"])).toBe(
      `Deleted device (${steamIds.device}) with 2 matches, 1 clip, 1 like.`,
    );
    expect(await database.selectFrom("users").select("steam_name").execute()).toEqual([{ steam_name: "zywoo" }]);
    expect(await database.selectFrom("sessions").selectAll().execute()).toEqual([]);
    expect(await database.selectFrom("access_tokens").select("user_id").execute()).toEqual([{ user_id: zywoo }]);
    expect(await database.selectFrom("matches").select("id").execute()).toEqual([{ id: "shared2" }]);
    expect(await database.selectFrom("demos").select("sha256").execute()).toEqual([{ sha256: shared }]);
    expect(await database.selectFrom("clips").select(["id", "likes_count"]).execute()).toEqual([
      { id: liked, likes_count: 1 },
    ]);
    expect(await keysOf(services)).toEqual([`clips/${liked}/video.mp4`, "demos/bb/track.bin"]);
    await expect(runOperatorCommand(services, [...command, "--yes"])).rejects.toThrow("has an account here");
    await remove();
  });

  test(`a failed job is listed, and put back with what it works on, on ${kind}`, async () => {
    const { services, remove } = await freshServices(kind);
    const { database, jobs } = services;
    const userId = await addUser(services, "device");
    await addMatch(services, userId, "broken", null);
    const statuses: string[] = [];
    await jobs.work("import", 1, async ({ matchId }) => {
      const match = await database.selectFrom("matches").select("status").where("id", "=", matchId).executeTakeFirst();
      statuses.push(match?.status ?? "gone");
      if (statuses.length === 1) throw new PermanentJobError("the parser died");
    });
    expect(await runOperatorCommand(services, ["failures"])).toBe("No failed jobs.");
    await jobs.send("import", { matchId: "broken" }, { ownerId: null });
    while ((await jobs.failures(1)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));

    const listed = await runOperatorCommand(services, ["failures"]);
    expect(listed).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}[0-9a-f-]{36} {2}import \{"matchId":"broken"\}\n {4}the parser died$/,
    );
    const [job] = await jobs.failures(1);
    expect(await runOperatorCommand(services, ["requeue", job!.id])).toContain("back in the queue");
    while (statuses.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(statuses).toEqual(["failed", "queued"]);
    while ((await jobs.depth()).import.running > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(runOperatorCommand(services, ["requeue", job!.id])).rejects.toThrow(OperatorError);
    await remove();
  });
}

test("a failed clip goes back only when its player has a place in the queue", async () => {
  const { services, remove } = await freshServices("postgres");
  const { database, jobs } = services;
  const userId = await addUser(services, "device");
  const sha256 = await addDemo(services, "aa");
  await addMatch(services, userId, "m", sha256);
  const values = {
    user_id: userId,
    match_id: "m",
    demo_sha256: sha256,
    name: "",
    spec: JSON.stringify({}),
    settings: JSON.stringify({}),
    created_at: services.now(),
  };
  const clips = await database
    .insertInto("clips")
    .values([1, 2, 3].map((queue_slot) => ({ ...values, queue_slot })))
    .returning("id")
    .execute();
  const failed = await database
    .insertInto("clips")
    .values({ ...values, status: "failed" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await jobs.work("render", 1, async () => {
    throw new PermanentJobError("no ffmpeg");
  });
  await jobs.send("render", { clipId: failed.id }, { ownerId: null });
  while ((await jobs.failures(1)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const [job] = await jobs.failures(1);
  await expect(runOperatorCommand(services, ["requeue", job!.id])).rejects.toThrow("as many clips in the queue as fit");
  await database.deleteFrom("clips").where("id", "=", clips[1]!.id).execute();
  await runOperatorCommand(services, ["requeue", job!.id]);
  const clip = await database.selectFrom("clips").select("queue_slot").where("id", "=", failed.id).executeTakeFirst();
  expect(clip).toEqual({ queue_slot: 2 });
  await remove();
});

test("signing an account out ends its sessions and nobody else's", async () => {
  const { services, remove } = await freshServices("postgres");
  const mine = await startSession(services, await addUser(services, "device"));
  const also = await startSession(services, await addUser(services, "zywoo"));
  expect(await runOperatorCommand(services, ["sign-out", steamIds.device])).toBe(
    `device (${steamIds.device}) is signed out everywhere.`,
  );
  expect(await findSession(services, mine.token)).toBeNull();
  expect(await findSession(services, also.token)).not.toBeNull();
  await expect(runOperatorCommand(services, ["sign-out", "76561198000000009"])).rejects.toThrow("Nobody");
  await remove();
});

test("wrong commands are answered with how it is done", async () => {
  const { services, remove } = await freshServices("postgres");
  for (const words of [
    [],
    ["drop-table"],
    ["failures", "many"],
    ["retention", "now", "please"],
    ["failures", "--all"],
  ]) {
    await expect(runOperatorCommand(services, words)).rejects.toThrow(/npm run operator/);
  }
  await expect(runOperatorCommand(services, ["delete-user", "device"])).rejects.toThrow("17 digits");
  await expect(runOperatorCommand(services, ["sign-out", "device"])).rejects.toThrow("17 digits");
  await expect(runOperatorCommand(services, ["requeue"])).rejects.toThrow("Which job?");
  await remove();
});

test("a running server with the embedded database takes commands of its own user only", async () => {
  const place = await migratedPlace("embedded");
  expect(await askRunningServer(place.DATA_DIR, ["failures"])).toBeNull();
  const { services, close } = await openServices(readConfig({ ...place, LOG_LEVEL: "silent" }));
  expect(statSync(operatorSocketPath(place.DATA_DIR)).mode & 0o777).toBe(0o600);
  expect(await askRunningServer(place.DATA_DIR, ["failures"])).toBe("No failed jobs.");
  expect(await askRunningServer(place.DATA_DIR, ["retention"])).toContain("Deleted: 0 demo files, 0 clips, 0 matches");
  await expect(askRunningServer(place.DATA_DIR, ["nonsense"])).rejects.toThrow("Usage:");
  const endless = ["x".repeat(1_000_000)];
  await expect(askRunningServer(place.DATA_DIR, endless)).rejects.toThrow("A command may have at most 65536 bytes.");
  expect(services.config.DATA_DIR).toBe(place.DATA_DIR);
  await close();
  expect(await askRunningServer(place.DATA_DIR, ["failures"])).toBeNull();
  rmSync(place.DATA_DIR, { recursive: true });
});

test("a data directory with a long path gets its socket elsewhere", () => {
  const path = operatorSocketPath(`/srv/${"clutchcast/".repeat(12)}data`);
  expect(path.startsWith(tmpdir())).toBe(true);
  expect(path.length).toBeLessThan(104);
});

/** The built program if there is one; else from the sources. */
function programParameters(): string[] {
  const { BUILT_CHILDREN } = process.env;
  return BUILT_CHILDREN ? [join(BUILT_CHILDREN, "operator.js")] : programOf(new URL("./operator.ts", import.meta.url));
}

function operatorProgram(environment: Record<string, string | undefined>, ...words: string[]) {
  const run = spawnSync(process.execPath, [...programParameters(), ...words], {
    encoding: "utf8",
    env: { ...process.env, ...environment },
  });
  return { status: run.status, output: run.stdout.trim(), complaint: run.stderr.trim() };
}

test("the program works on the database itself when no server runs", async () => {
  const embedded = await migratedPlace("embedded");
  const server = await migratedPlace("postgres");
  for (const place of [embedded, server]) {
    const failures = operatorProgram(place, "failures");
    expect(failures.complaint).toBe("");
    expect(failures).toMatchObject({ status: 0, output: "No failed jobs." });
    const nobody = operatorProgram(place, "delete-user", steamIds.device, "--yes");
    expect(nobody).toEqual({
      status: 1,
      output: "",
      complaint: `Nobody with the SteamID ${steamIds.device} has an account here.`,
    });
    rmSync(place.DATA_DIR, { recursive: true });
  }
  const empty = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  expect(operatorProgram({ DATA_DIR: empty }, "failures").complaint).toContain(`There is no database in ${empty}`);
  rmSync(empty, { recursive: true });
});
