import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackDemo } from "../../backend/demos/unpack/unpack-demo.ts";

const fixtures = new URL("../fixtures/demos/", import.meta.url).pathname;

/** Files on loopback as a match host serves them, made by the harness as it goes. */
export interface DemoShelf {
  /** `127.0.0.1:PORT`, for IMPORT_ALLOW_HOSTS. */
  host: string;
  /** Puts a file up. @returns its address */
  put(name: string, bytes: Uint8Array, pace?: { bytesPerSecond: number }): string;
  /** Address of a file that is not there. */
  missing(name: string): string;
  remove(name: string): void;
  close(): Promise<void>;
}

const piecesPerSecond = 10;

export async function startDemoShelf(): Promise<DemoShelf> {
  const files = new Map<string, { bytes: Uint8Array; bytesPerSecond: number }>();
  const server = createServer((request, response) => {
    const file = files.get((request.url ?? "/").slice(1));
    if (!file) {
      response.writeHead(404, { "Content-Type": "text/plain" });
      response.end("not found");
      return;
    }
    const [, from] = /^bytes=(\d+)-/.exec(request.headers.range ?? "") ?? [];
    const start = Number(from ?? 0);
    const { length } = file.bytes;
    response.writeHead(from ? 206 : 200, {
      "Content-Type": "application/octet-stream",
      "Content-Length": length - start,
      "Accept-Ranges": "bytes",
      ETag: `"${length}"`,
      ...(from ? { "Content-Range": `bytes ${start}-${length - 1}/${length}` } : {}),
    });
    if (Number.isFinite(file.bytesPerSecond)) trickle(response, file.bytes.subarray(start), file.bytesPerSecond);
    else response.end(file.bytes.subarray(start));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = (name: string) => `http://${host}/${name}`;
  return {
    host,
    put(name, bytes, { bytesPerSecond } = { bytesPerSecond: Number.POSITIVE_INFINITY }) {
      files.set(name, { bytes, bytesPerSecond });
      return address(name);
    },
    missing: address,
    remove: (name) => void files.delete(name),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function trickle(response: ServerResponse, bytes: Uint8Array, bytesPerSecond: number): void {
  const piece = Math.max(1, Math.ceil(bytesPerSecond / piecesPerSecond));
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + piece));
    sent += piece;
    if (sent < bytes.length) return;
    clearInterval(timer);
    response.end();
  }, 1000 / piecesPerSecond);
  response.on("close", () => clearInterval(timer));
}

/** A file below tests/fixtures/demos as it is. */
export function fixtureDemo(name: string): Buffer {
  return readFileSync(join(fixtures, name));
}

/** A fixture demo, unpacked. */
export async function unpackedFixture(name: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "clutchcast-faults-demo-"));
  try {
    const { path } = await unpackDemo(join(fixtures, name), join(folder, "demo.dem"), { maxBytes: 2 ** 30 });
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The same match as a demo of its own: no parser reads the second offset of a demo's head, but it is part of its hash.
 * @param number from 1
 */
export function demoOfItsOwn(demo: Uint8Array, number: number): Buffer {
  const copy = Buffer.from(demo);
  copy.writeUInt32LE(number, 12);
  return copy;
}
