import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { oldPlace } from "../../backend/operator/testing/old-place.ts";
import { freshPlace } from "../../backend/storage/testing/fresh-database.ts";
import type { Clip, ClipDetail } from "../../contract/schemas/clips.ts";
import type { MatchDetail, MatchList } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { launchProduct, startProduct } from "../services/product.ts";
import { startS3 } from "../services/s3.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "clutchcast-move-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  child: ChildProcess;
  ended: Promise<{ code: number | null; output: string; told: string }>;
}

/** `npm run operator -- …`, without npm. */
function operator(environment: Record<string, string>, ...words: string[]): Run {
  const child = spawn(process.execPath, ["scripts/operator.mjs", ...words], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", ...environment },
  });
  const texts = { output: "", told: "" };
  child.stdout.on("data", (chunk) => {
    texts.output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    texts.told += chunk;
  });
  return { child, ended: new Promise((resolve) => child.once("close", (code) => resolve({ code, ...texts }))) };
}

const sha256 = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

/** SHA-256 of every file in a folder, by relative path. */
function hashesOf(blobs: string): Record<string, string> {
  const files = readdirSync(blobs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(blobs.length + 1), sha256(readFileSync(path))] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

test("a folder and an embedded database are moved while killed, and the product serves and finishes the same from a server and a store", async () => {
  const { DATA_DIR } = oldPlace(folder);
  const blobs = join(DATA_DIR, "blobs");
  const store = await startS3();
  const s3 = {
    ...{ S3_ENDPOINT: store.endpoint, S3_BUCKET: store.bucket, S3_REGION: store.region },
    ...{ S3_ACCESS_KEY_ID: store.accessKeyId, S3_SECRET_ACCESS_KEY: store.secretAccessKey },
  };
  const before = hashesOf(blobs);
  // So many that a call can be interrupted between them.
  mkdirSync(join(blobs, "uploads"));
  for (let number = 0; number < 600; number++) writeFileSync(join(blobs, `uploads/${number}.dem`), `upload ${number}`);

  const first = operator({ DATA_DIR, ...s3 }, "move-blobs-to-s3");
  while (store.objects.size < 50) {
    expect(first.child.exitCode).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  first.child.kill("SIGKILL");
  await first.ended;
  const kept = store.objects.size;
  expect(kept).toBeLessThan(600);

  // While the server runs on its folder and renders the waiting clip.
  const embedded = await startProduct({}, { dataDirectory: DATA_DIR });
  const inService = await operator({ DATA_DIR, ...s3 }, "move-blobs-to-s3").ended;
  expect(inService, inService.told).toMatchObject({ code: 0 });
  expect(inService.output).toMatch(/A server runs and may still write into the folder: stop it/);
  const refused = await operator({ DATA_DIR }, "move-to-postgres", "postgres://nobody@127.0.0.1:1/none").ended;
  expect(refused).toMatchObject({ code: 1, told: expect.stringMatching(/^Clutchcast runs on .*\. Stop it first/) });
  expect(await embedded.stop()).toBe(0);

  const last = await operator({ DATA_DIR, ...s3 }, "move-blobs-to-s3").ended;
  expect(last, last.told).toMatchObject({ code: 0 });
  expect(last.output).toContain("Every file is there.");
  expect(last.output).not.toContain("neither in the folder");
  const files = hashesOf(blobs);
  expect(files).toMatchObject(before);
  // Files that the server deleted after they were copied are left to the store's sweep.
  for (const [key, hash] of Object.entries(files)) {
    const object = store.objects.get(key);
    expect(object && sha256(object.bytes), key).toBe(hash);
  }

  const { DATABASE_URL: url = "" } = await freshPlace("postgres");
  const moved = await operator({ DATA_DIR, DATABASE_URL: url }, "move-to-postgres").ended;
  expect(moved, moved.told).toMatchObject({ code: 0 });
  expect(moved.output).toMatch(/^Moved \d+ rows of \d+ tables and \d+ jobs?\./);
  const left = await launchProduct({}, { dataDirectory: DATA_DIR });
  await expect(left.ready).rejects.toThrow(/was moved to PostgreSQL at 127\.0\.0\.1:\d+, .* Set DATABASE_URL to it\./);

  // Another machine, without anything from the old folder.
  const product = await startProduct({ DATABASE_URL: url, ...s3 }, { dataDirectory: join(folder, "elsewhere") });
  try {
    const player = new ApiVisitor(product.url);
    await player.signIn("76561198000000001", "Old Player");
    const { results: matches } = await player.call<MatchList>("GET", "/api/matches/");
    expect(matches).toHaveLength(1);
    const match = await player.call<MatchDetail>("GET", `/api/matches/${matches[0]!.id}/`);
    const clips = await player.call<Clip[]>("GET", `/api/matches/${match.id}/clips/`);
    const [old, waiting] = ["An old clip", "Still waiting"].map((name) => clips.find((clip) => clip.name === name)!);
    expect(old).toMatchObject({ render_status: "completed", likes_count: 1, views_count: 1 });
    // The store's own address of the video.
    const video = async (id: string | number) => {
      const { status, headers } = await player.request("GET", `/video/clips/${id}/`);
      expect(status).toBe(302);
      const response = await fetch(headers.get("location")!);
      expect(response.status).toBe(200);
      return sha256(new Uint8Array(await response.arrayBuffer()));
    };
    expect(Object.values(before)).toContain(await video(old!.id));
    const finished = await player.poll<ClipDetail>(`/api/matches/clips/${waiting!.id}/status/`, (clip) =>
      ["completed", "failed"].includes(clip.render_status),
    );
    expect(finished).toMatchObject({ render_status: "completed", render_error: null });
    expect(Object.values(before)).not.toContain(await video(waiting!.id));
    expect(product.output()).not.toMatch(/"level":(50|60)/);
  } finally {
    expect(await product.stop()).toBe(0);
    await store.stop();
  }
});
