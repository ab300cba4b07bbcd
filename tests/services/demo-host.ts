import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const fixtures = new URL("../fixtures/demos/", import.meta.url).pathname;

export interface DemoHost {
  /** `127.0.0.1:PORT`, for IMPORT_ALLOW_HOSTS. */
  host: string;
  url(fileName: string): string;
  /** Paths requested so far. */
  requests: string[];
  close(): Promise<void>;
}

/**
 * Serves the fixture demos on loopback like a match host: Content-Length, Range, 404. `/html.dem` is a web page, `/csgo.dem` a CS:GO demo's
 * beginning, `/empty.dem` nothing, `/cut.dem` ends early, `/hang.dem` never answers.
 * @param bytesPerSecond slows downloads down; unlimited by default
 */
export async function startDemoHost({ bytesPerSecond = Number.POSITIVE_INFINITY } = {}): Promise<DemoHost> {
  const requests: string[] = [];
  const server = createServer((request, response): unknown => {
    requests.push(request.url ?? "/");
    const name = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname.slice(1));
    if (name === "hang.dem") return undefined;
    if (name === "html.dem") {
      response.writeHead(200, { "Content-Type": "text/html" });
      return response.end("<!doctype html><title>Log in</title><p>Please log in to download.");
    }
    if (name === "csgo.dem") return response.end(Buffer.concat([Buffer.from("HL2DEMO\0"), Buffer.alloc(4096)]));
    if (name === "empty.dem") return response.end();
    const isCut = name === "cut.dem";
    const path = join(fixtures, isCut ? "highlights-reel.dem.gz" : name);
    const stat = /^(cases\/)?[\w.-]+$/.test(name) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (!stat) {
      response.writeHead(404, { "Content-Type": "text/plain" });
      return response.end("not found");
    }
    const size = isCut ? Math.floor(stat.size / 2) : stat.size;
    const [, from] = /^bytes=(\d+)-/.exec(request.headers.range ?? "") ?? [];
    const start = from ? Number(from) : 0;
    response.writeHead(from ? 206 : 200, {
      "Content-Type": "application/octet-stream",
      "Content-Length": size - start,
      "Accept-Ranges": "bytes",
      ETag: `"${stat.size}"`,
      ...(from ? { "Content-Range": `bytes ${start}-${size - 1}/${size}` } : {}),
    });
    const file = createReadStream(path, { start, end: size - 1, highWaterMark: 64 * 1024 });
    if (!Number.isFinite(bytesPerSecond)) return file.pipe(response);
    file.on("data", (chunk) => {
      response.write(chunk);
      file.pause();
      setTimeout(() => file.resume(), (chunk.length / bytesPerSecond) * 1000);
    });
    file.on("end", () => response.end());
    return response.on("close", () => file.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: (fileName) => `http://${host}/${fileName}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
