import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { receiveDemoFile, type UploadDeadlines } from "../../backend/api/receive-demo-file.ts";
import { deleteUser, summarizeAccount } from "../../backend/library/delete-user.ts";
import type { User } from "../../backend/storage/schema.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";

const maxFileBytes = 32 * 1024 ** 2;

let server: RunningApi;

beforeAll(async () => {
  server = await startApi({ IMPORTS_PER_DAY: "3", MAX_DOWNLOAD_BYTES: String(maxFileBytes) });
});
afterAll(() => server.close());

let nextSteamId = 76561199999941000n;

async function newPlayer(): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(server.url);
  await visitor.signIn(String(nextSteamId++), "uploader");
  return visitor;
}

const boundary = "----border";
const partHead = (name = "demo_file") =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.dem"\r\nContent-Type: application/octet-stream\r\n\r\n`;
const formEnd = `\r\n--${boundary}--\r\n`;

interface OpenUpload {
  socket: Socket;
  /** All that the server said, once it has closed the connection or said `until`. */
  answer(until?: RegExp): Promise<string>;
}

/** The beginning of an upload over a bare socket, to go on with or to break off. */
function begin(player: ApiVisitor | null, body: string | Buffer, contentLength = 3 * 1024 ** 2): OpenUpload {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => {});
  let said = "";
  let onWord = () => {};
  socket.on("data", (bytes) => {
    said += bytes;
    onWord();
  });
  socket.on("close", () => onWord());
  const cookies = [...(player?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  const token = decodeURIComponent(player?.cookies.get("XSRF-TOKEN") ?? "");
  socket.write(
    `POST /api/matches/upload-file/ HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: ${contentLength}\r\n` +
      `Content-Type: multipart/form-data; boundary=${boundary}\r\nCookie: ${cookies}\r\nX-XSRF-TOKEN: ${token}\r\n\r\n`,
  );
  socket.write(body);
  const answer = (until = /\r\n\r\n.*\}$/s) =>
    new Promise<string>((resolve) => {
      onWord = () => {
        if (until.test(said) || socket.destroyed) resolve(said);
      };
      onWord();
    });
  return { socket, answer };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const scratch = () => readdirSync(server.services.scratchDirectory);
const receivedBytes = () =>
  scratch().map((name) => {
    const path = join(server.services.scratchDirectory, name, "demo");
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  });

/** Files this process holds open though they are deleted: their space is not given back. */
function deletedButOpen(): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.includes("upload-") && path.endsWith("(deleted)") ? [path] : [];
    } catch {
      return [];
    }
  });
}

test("Uploads that break off in the middle leave no open file, and their space is back", async () => {
  const player = await newPlayer();
  const beginning = Buffer.concat([Buffer.from(partHead()), Buffer.alloc(1024 ** 2)]);
  for (let count = 0; count < 3; count++) {
    const upload = begin(player, beginning);
    await until(() => receivedBytes().some((bytes) => bytes > 500_000));
    upload.socket.destroy();
    await until(() => scratch().length === 0);
  }
  expect(deletedButOpen()).toEqual([]);
});

test("A player uploads two files at once, and the third says so", async () => {
  const player = await newPlayer();
  const beginning = partHead() + "x".repeat(1000);
  const uploads = [begin(player, beginning), begin(player, beginning)];
  await until(() => scratch().length === 2);
  const third = await begin(player, beginning).answer();
  expect(third).toMatch(/^HTTP\/1\.1 429 /);
  expect(third).toContain("You are uploading two files already.");
  const whole = `${partHead()}demo${formEnd}`;
  expect(await begin(await newPlayer(), whole, whole.length).answer()).toMatch(/^HTTP\/1\.1 201 /);
  for (const { socket } of uploads) socket.destroy();
  await until(() => scratch().length === 0);
  expect(await begin(player, whole, whole.length).answer()).toMatch(/^HTTP\/1\.1 201 /);
});

test("An upload that outlives its account is a signed-out visitor's, and nothing of it stays", async () => {
  const { services } = server;
  const player = await newPlayer();
  const steamId = String(nextSteamId - 1n);
  const upload = begin(player, `${partHead()}${"x".repeat(1000)}`, partHead().length + 1000 + formEnd.length);
  await until(() => receivedBytes().some((bytes) => bytes > 0));
  await deleteUser(services, (await summarizeAccount(services, steamId))!);
  upload.socket.write(formEnd);
  const said = await upload.answer();
  expect(said).toMatch(/^HTTP\/1\.1 401 /);
  expect(said).toContain('"error":"authentication_required"');
  expect(scratch()).toEqual([]);
  const stored: string[] = [];
  for await (const key of services.blobs.list("uploads/")) stored.push(key);
  const { database } = services;
  const named = await database.selectFrom("matches").select("upload_key").where("upload_key", "is not", null).execute();
  expect(stored.sort()).toEqual(named.map((row) => row.upload_key).sort());
});

test("What can be refused is refused before a byte of the file is there", async () => {
  const player = await newPlayer();
  expect(await begin(null, "").answer()).toMatch(/^HTTP\/1\.1 401 /);
  const large = await begin(player, "", 33 * 1024 ** 2).answer();
  expect(large).toMatch(/^HTTP\/1\.1 413 /);
  expect(large).toContain("larger than this server accepts (32 MiB)");
  for (let count = 0; count < 3; count++) {
    await player.call("POST", "/api/matches/upload-demo/", { demo_url: `https://demos.example/${count}.dem` });
  }
  const used = await begin(player, "").answer();
  expect(used).toMatch(/^HTTP\/1\.1 429 /);
  expect(used).toContain("You can import 3 matches a day.");
  expect(scratch()).toEqual([]);
});

test.each([
  ["for its length", 40, () => newPlayer(), "larger than this server accepts"],
  ["for who sends it", 31, async () => null, "Authentication required"],
])(
  "An upload that is refused %s while it is sent gets its sentence, and not a broken connection",
  async (_, megabytes, who, sentence) => {
    const upload = begin(await who(), partHead(), megabytes * 1024 ** 2);
    // As browsers do: the answer is read when everything is sent.
    const piece = Buffer.alloc(1024 ** 2);
    for (let count = 1; count < megabytes; count++) {
      await new Promise<void>((resolve, reject) => {
        upload.socket.write(piece, (error) => (error ? reject(error) : resolve()));
      });
    }
    expect(await upload.answer()).toContain(sentence);
  },
);

test("A file that is a byte too long is refused, however little its form adds", async () => {
  const player = await newPlayer();
  const form = (bytes: number) => Buffer.concat([Buffer.from(partHead()), Buffer.alloc(bytes), Buffer.from(formEnd)]);
  const send = (body: Buffer) => begin(player, body, body.length).answer();
  const long = await send(form(maxFileBytes + 1));
  expect(long).toMatch(/^HTTP\/1\.1 413 /);
  expect(long).toContain("file_too_large");
  expect(scratch()).toEqual([]);
  expect(await send(form(maxFileBytes))).toMatch(/^HTTP\/1\.1 201 /);
});

async function sendForm(body: string, contentType = `multipart/form-data; boundary=${boundary}`) {
  const player = await newPlayer();
  const response = await fetch(`${server.url}/api/matches/upload-file/`, {
    method: "POST",
    body,
    headers: {
      "Content-Type": contentType,
      Cookie: [...player.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "X-XSRF-TOKEN": decodeURIComponent(player.cookies.get("XSRF-TOKEN") ?? ""),
    },
  });
  return { status: response.status, text: await response.text() };
}

const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

test.each([
  ["the file after other fields", `${field("note", "hello")}${partHead()}a demo${formEnd}`],
  ["the file after another file", `${partHead("other")}no demo\r\n${partHead()}a demo${formEnd}`],
  ["a long field first", `${field("note", "x".repeat(20_000))}${partHead()}a demo${formEnd}`],
  ["the file twice: the first counts", `${partHead()}a demo\r\n${partHead()}another one${formEnd}`],
  [
    "a form within the form",
    `--${boundary}\r\nContent-Disposition: form-data; name="more"\r\nContent-Type: multipart/mixed; boundary=inner\r\n\r\n--inner\r\nContent-Disposition: attachment; filename="b.dem"\r\n\r\nno demo\r\n--inner--\r\n${partHead()}a demo${formEnd}`,
  ],
  ["a thousand headers of a part", partHead().replace("\r\n\r\n", `${"\r\nX-More: x".repeat(1000)}\r\n\r\n`)],
])("A form is read whatever else is in it: %s", async (name, body) => {
  const { status } = await sendForm(name.startsWith("a thousand") ? `${body}a demo${formEnd}` : body);
  expect(status).toBe(201);
  const { upload_key: key } = await server.services.database
    .selectFrom("matches")
    .select("upload_key")
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const file = await server.services.blobs.openLocal(key!);
  expect(readFileSync(file.path, "latin1")).toBe("a demo");
  await file.release();
});

test.each([
  ["no boundary", `${partHead()}a demo${formEnd}`, "multipart/form-data", "Please choose a demo file"],
  ["another boundary", `${partHead()}x${formEnd}`, "multipart/form-data; boundary=other", "cut off"],
  ["no end", `${partHead()}a demo`, undefined, "cut off"],
  ["an end within the headers", `--${boundary}\r\nContent-Disposition: form-da`, undefined, "cut off"],
  ["fields without an end", field("f", "v").repeat(500) + formEnd, undefined, "Please choose a demo file"],
  ["nothing", formEnd, undefined, "Please choose a demo file"],
  ["no form", "a demo", undefined, "cut off"],
])("A form that is none is refused with a sentence: %s", async (_, body, contentType, sentence) => {
  const { status, text } = await sendForm(body, contentType);
  expect(text).toContain(sentence);
  expect(status).toBe(400);
  expect(scratch()).toEqual([]);
});

/** Hands an upload to the receiver directly, with deadlines a test can wait for. */
function receive(body: ReadableStream<Uint8Array>, limits: UploadDeadlines) {
  const request = new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
    duplex: "half",
  } as RequestInit);
  return receiveDemoFile(server.services, { id: 1_000_000 } as User, request, limits).catch((error) => error);
}

const unhurried = { bytes: 1, withinMs: 600_000 };

test("An upload that stands still, or drips, is ended with a sentence", async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const stalled = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes(partHead())) });
  expect(await receive(stalled, { idleMs: 100, minSpeed: unhurried })).toMatchObject({ code: "upload_too_slow" });

  let drip: NodeJS.Timeout | undefined;
  const dripping = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes(partHead()));
      drip = setInterval(() => controller.enqueue(bytes("x")), 5);
    },
  });
  const limits = { idleMs: 60_000, minSpeed: { bytes: 100_000, withinMs: 240 } };
  expect(await receive(dripping, limits)).toMatchObject({ code: "upload_too_slow" });
  clearInterval(drip);
  expect(scratch()).toEqual([]);
  expect(deletedButOpen()).toEqual([]);
});

test("An upload under which the disk becomes full is stopped with a sentence, and its space is back", async () => {
  const { services } = server;
  const { diskSpace } = services;
  let isFull = false;
  services.diskSpace = { ...diskSpace, isShort: () => false, isFull: () => isFull };
  let drip: NodeJS.Timeout | undefined;
  let end: NodeJS.Timeout | undefined;
  const dripping = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(partHead()));
      drip = setInterval(() => controller.enqueue(new TextEncoder().encode("x")), 20);
      // Nobody who stops reading waits for this.
      end = setTimeout(() => controller.close(), 20_000);
    },
  });
  try {
    const receiving = receive(dripping, { idleMs: 60_000, minSpeed: unhurried });
    await until(() => scratch().length === 1);
    isFull = true;
    expect(await receiving).toMatchObject({ status: 507, code: "disk_full" });
  } finally {
    clearInterval(drip);
    clearTimeout(end);
    services.diskSpace = diskSpace;
  }
  expect(scratch()).toEqual([]);
  expect(deletedButOpen()).toEqual([]);
});

const mounting = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const canMount = spawnSync("unshare", [...mounting, "mount -t tmpfs -o size=1m none /mnt"]).status === 0;

test.runIf(canMount)("A disk that is full in the middle of an upload gives its sentence and its space back", () => {
  const disk = mkdtempSync(join(tmpdir(), "small-disk-"));
  const tsx = createRequire(import.meta.url).resolve("tsx");
  const script = fileURLToPath(new URL("../../backend/api/testing/upload-to-small-disk.ts", import.meta.url));
  const mount = 'mount -t tmpfs -o size=1m none "$0" && exec "$@"';
  const run = spawnSync("unshare", [...mounting, mount, disk, process.execPath, "--import", tsx, script, disk], {
    encoding: "utf8",
  });
  expect(JSON.parse(run.stdout || run.stderr)).toEqual({
    huge: "507 This server has no disk space left for the demo. Try again later.",
    left: [],
    isSpaceBack: true,
    small: "stored",
  });
  rmSync(disk, { recursive: true });
});
