import { connect } from "node:net";
import { flatRoutes } from "@remix-run/dev/dist/config/flat-routes.js";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { defaultBodyBytes, largerBodies, limitBodies, maxBodiesOfNetwork } from "../../backend/http/body-limits.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningWeb, startWeb } from "./start-web.ts";

const MiB = 1024 ** 2;
const root = new URL("../../", import.meta.url).pathname;
const loaded: string[] = [];
let web: RunningWeb;

beforeAll(async () => {
  web = await startWeb({ REQUESTS_PER_MINUTE: "100000", MAX_DOWNLOAD_BYTES: String(2 * MiB) }, async () => {
    loaded.push("pages");
    throw new Error("A refused request must not reach the pages.");
  });
});
afterAll(() => web.close());

interface Sent {
  /** Of the answer; 0 when the connection ended without one. */
  status: number;
  head: string;
  body: string;
  /** What the server's machine took of the body. */
  bytes: number;
}

const boundary = "----limit";
const parts: Record<string, string> = {
  multipart: `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n`,
  urlencoded: "a=1&b=%41%41&",
};
const contentTypes: Record<string, string> = {
  multipart: `multipart/form-data; boundary=${boundary}`,
  urlencoded: "application/x-www-form-urlencoded",
};

/** Sends a form of up to `total` bytes for as long as the server takes it, and waits until the server hangs up. */
function flood(path: string, { total = 400 * MiB, method = "POST", form = "multipart", chunked = false } = {}) {
  const piece = Buffer.alloc(256 * 1024, parts[form]);
  const framed = chunked
    ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")])
    : piece;
  return new Promise<Sent>((resolve) => {
    const socket = connect(web.port, "127.0.0.1");
    let answer = "";
    const send = () => {
      while (socket.writable && socket.bytesWritten < total && socket.write(framed));
    };
    socket.on("data", (data) => {
      answer += data.toString();
    });
    socket.on("drain", send);
    socket.on("error", () => {});
    socket.on("close", () => {
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
      resolve({ status, head, body, bytes: socket.bytesWritten });
    });
    const length = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${total}`;
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: localhost:${web.port}\r\nContent-Type: ${contentTypes[form]}\r\n${length}\r\n\r\n`,
      send,
    );
  });
}

const flooded = [
  "/matches",
  "/clips/1/like",
  "/matches/x",
  "/clips/1/delete",
  "/matches/x/delete",
  "/logout",
  "/login",
];

test.each([...flooded, "/local-steam/openid/login", "/api/matches/upload-demo/", "/api/matches/1/clips/create/"])(
  "A form of 400 MB to %s is refused while it comes, and the connection closed",
  async (path) => {
    const forms = ["multipart", "urlencoded"].flatMap((form) => [false, true].map((chunked) => ({ form, chunked })));
    for (const sent of await Promise.all(forms.map((form) => flood(path, form)))) {
      expect(sent.status).toBe(413);
      expect(sent.head).toMatch(/^connection: close$/im);
      // Buffers of the kernel on both sides, and what is thrown away so that the answer arrives.
      expect(sent.bytes).toBeLessThan(40 * MiB);
    }
  },
);

test("The refusal is a page for people, a sentence for scripts and an error of the API", async () => {
  const page = await flood("/matches");
  expect(page.head).toMatch(/content-type: text\/html/i);
  expect(page.head).toMatch(/x-content-type-options: nosniff/i);
  expect(page.body).toContain("A request may have at most 64 KiB.");
  const headers = { Accept: "application/json", "Content-Type": "text/plain" };
  const script = await fetch(`${web.url}/matches`, { method: "POST", headers, body: "x".repeat(defaultBodyBytes + 1) });
  expect([script.status, await script.json()]).toEqual([413, { error: "A request may have at most 64 KiB." }]);
  const api = await flood("/api/matches/upload-demo/");
  expect(JSON.parse(api.body)).toEqual({ error: "body_too_large", detail: "A request may have at most 64 KiB." });
  expect(loaded).toEqual([]);
});

test("A demo file longer than the server accepts is refused before anybody is asked to sign in", async () => {
  const sent = await flood("/api/matches/upload-file/", { total: 100 * MiB });
  expect(sent.status).toBe(413);
  expect(JSON.parse(sent.body).detail).toBe("The file is larger than this server accepts (2 MiB).");
  expect((await flood("/matches/upload", { total: 100 * MiB })).status).toBe(413);
  expect(loaded).toEqual([]);
});

test("A demo file of a stranger is refused unread", async () => {
  const sent = await flood("/api/matches/upload-file/", { total: 2 * MiB });
  expect(sent.status).toBe(401);
});

test("A demo file of unknown length is cut off at the limit", async () => {
  const player = new ApiVisitor(web.url);
  await player.signIn("76561199999900000", "quietOtter");
  let pulled = 0;
  const long = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pulled === 100 * MiB) return controller.close();
      pulled += MiB;
      const head = pulled === MiB ? `--x\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\n` : "";
      controller.enqueue(Buffer.concat([Buffer.from(head), Buffer.alloc(MiB, "a")]));
    },
  });
  const response = await fetch(`${web.url}/api/matches/upload-file/`, {
    method: "POST",
    headers: {
      "Content-Type": "multipart/form-data; boundary=x",
      Cookie: [...player.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "X-XSRF-TOKEN": player.cookies.get("XSRF-TOKEN") ?? "",
    },
    body: long,
    duplex: "half",
  } as RequestInit);
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: "body_too_large" });
  expect(pulled).toBeLessThan(40 * MiB);
});

test("A route that wants no more of a demo file ends it where it comes from", async () => {
  const app = new Hono();
  app.use(
    "*",
    limitBodies(web.services.config, () => new Response("refused")),
  );
  app.post("*", async (c) => {
    await c.req.raw.body?.cancel("enough");
    return c.text("no thanks");
  });
  let cancelled: unknown;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.alloc(1024)),
    cancel(reason) {
      cancelled = reason;
    },
  });
  const [larger] = largerBodies;
  const answer = await app.request(larger!.path, { method: "POST", body, duplex: "half" } as RequestInit);
  expect([await answer.text(), cancelled]).toEqual(["no thanks", "enough"]);
});

/** Every address of a page, with a value in place of its parameters. */
function pagePaths(): string[] {
  const manifest = flatRoutes(`${root}app`, ["**/.*", "**/*.test.{ts,tsx}"]);
  return Object.values(manifest).map(({ path = "" }) => `/${path.replaceAll("?", "").replaceAll(/:\w+|\*/g, "1")}`);
}

/** Every address of the API, from its own document. */
async function apiPaths(): Promise<string[]> {
  const document = (await (await fetch(`${web.url}/api/openapi.json`)).json()) as { paths: Record<string, unknown> };
  return Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, "1"));
}

/** Whether the server refuses a body of this announced length, of which nothing is sent. */
function refuses(method: string, path: string, bytes: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(web.port, "127.0.0.1", () => {
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost:${web.port}\r\nContent-Length: ${bytes}\r\n\r\n`);
    });
    // A route that takes more answers something else, or waits for the body.
    const waiting = setTimeout(() => settle(false), 20_000);
    const settle = (refused: boolean) => {
      clearTimeout(waiting);
      socket.destroy();
      resolve(refused);
    };
    socket.once("data", (data) => settle(data.toString().startsWith("HTTP/1.1 413")));
    socket.once("error", () => settle(false));
  });
}

test("No route takes more than the default but those in the table, which all exist", async () => {
  // The one page in the table, which is let through to pages that this test does not have.
  vi.spyOn(console, "error").mockImplementation(() => {});
  const paths = [...new Set([...pagePaths(), ...(await apiPaths()), "/local-steam/openid/login", "/assets/x.js"])];
  expect(paths.length).toBeGreaterThan(45);
  const spellings = paths.flatMap((path) => [path, path.endsWith("/") ? path.slice(0, -1) || "/" : `${path}/`]);
  const calls = [...new Set(spellings)].flatMap((path) =>
    ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => ({ method, path })),
  );
  const takesMore: string[] = [];
  for (let at = 0; at < calls.length; at += 20) {
    await Promise.all(
      calls.slice(at, at + 20).map(async ({ method, path }) => {
        if (!(await refuses(method, path, defaultBodyBytes + 1))) takesMore.push(`${method} ${path}`);
      }),
    );
  }
  const larger = largerBodies.map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, "1") }));
  expect(takesMore.sort()).toEqual(
    larger.flatMap(({ method, path }) => [`${method} ${path}`, `${method} ${path}/`]).sort(),
  );
  for (const { method, path } of larger) expect(await refuses(method, path, 100 * MiB)).toBe(true);
});

test.each(["/matches", "/api/matches/upload-demo/"])(
  "Of many forms that one network begins at %s and leaves unfinished only some are held",
  async (path) => {
    const sockets = Array.from({ length: maxBodiesOfNetwork + 10 }, () => connect(web.port, "127.0.0.1"));
    const refused: string[] = [];
    await new Promise<void>((resolve) => {
      for (const socket of sockets) {
        socket.on("data", (data) => {
          refused.push(data.toString());
          if (refused.length === 10) resolve();
        });
        socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost:${web.port}\r\nContent-Length: 9\r\n\r\na=1`);
      }
    });
    for (const answer of refused) {
      expect(answer).toMatch(/^HTTP\/1\.1 429 /);
      expect(answer).toContain("Too many requests from your network at once.");
      expect(answer).toMatch(/^Retry-After: [1-9]\d*\r$/im);
    }
    for (const socket of sockets) socket.destroy();
    const form = new URLSearchParams({ a: "1" });
    const later = () => fetch(`${web.url}/api/auth/logout/`, { method: "POST", body: form });
    await expect.poll(async () => (await later()).status).toBe(200);
  },
);

const unhurried = { withinMs: 60_000, idleMs: 60_000, minSpeed: { bytes: 1, withinMs: 60_000 } };

test.each([
  ["stands still", { idleMs: 100 }, Number.POSITIVE_INFINITY],
  ["drips", { minSpeed: { bytes: 1000, withinMs: 200 } }, 20],
])("A demo file that %s is ended at the border, whoever reads it", async (_, waits, betweenMs) => {
  const app = new Hono();
  const refuse = (_: unknown, { status, code }: { status: number; code: string }) => new Response(code, { status });
  app.use("*", limitBodies(web.services.config, refuse, { ...unhurried, ...waits }));
  app.post("*", async (c) => c.text(await c.req.raw.text()));
  const [larger] = largerBodies;
  let sent = 0;
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent++ > 0) await new Promise((resolve) => betweenMs < 1000 && setTimeout(resolve, betweenMs));
      controller.enqueue(Buffer.from("a"));
    },
  });
  const late = await app.request(larger!.path, { method: "POST", body: slow, duplex: "half" } as RequestInit);
  expect([late.status, await late.text(), late.headers.get("connection")]).toEqual([400, "body_too_slow", "close"]);
});

test("A reader that takes its time is no slow upload", async () => {
  const app = new Hono();
  const minSpeed = { bytes: 10_000, withinMs: 200 };
  app.use(
    "*",
    limitBodies(web.services.config, () => new Response("refused"), { ...unhurried, minSpeed }),
  );
  app.post("*", async (c) => {
    let length = 0;
    const reader = c.req.raw.body!.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.byteLength;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return c.text(`${length}`);
  });
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => (sent++ < 6 ? controller.enqueue(Buffer.alloc(100)) : controller.close()),
  });
  const [larger] = largerBodies;
  const answer = await app.request(larger!.path, { method: "POST", body, duplex: "half" } as RequestInit);
  expect(await answer.text()).toBe("600");
});

test("A short form that does not come in time is not waited for", async () => {
  const app = new Hono();
  const refuse = (_: unknown, { status, code }: { status: number; code: string }) => new Response(code, { status });
  app.use("*", limitBodies(web.services.config, refuse, { ...unhurried, withinMs: 50 }));
  app.post("*", async (c) => c.text(await c.req.text()));
  const slow = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from("a=")) });
  const late = await app.request("/x", { method: "POST", body: slow, duplex: "half" } as RequestInit);
  expect([late.status, await late.text(), late.headers.get("connection")]).toEqual([408, "body_too_slow", "close"]);
  const whole = await app.request("/x", { method: "POST", body: "a=1" });
  expect([whole.status, await whole.text()]).toEqual([200, "a=1"]);
});
