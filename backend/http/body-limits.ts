import type { Context, MiddlewareHandler } from "hono";
import { apiRoutes } from "../../contract/api-routes.ts";
import { limits } from "../../contract/limits.ts";
import type { Config } from "../config.ts";
import { deadlines } from "../waits/deadlines.ts";
import type { MinSpeed } from "../waits/speed-watch.ts";
import { type ConnectionBindings, clientAddress, isInProcess, networkOf } from "./client-address.ts";

const KiB = 1024;

/** The limit of every route that `largerBodies` does not name. */
export const defaultBodyBytes = 64 * KiB;

/** The number of bodies that one network may send at once; it bounds the memory for them to a few megabytes. */
export const maxBodiesOfNetwork = 64;

export interface BodyWaits {
  /** The time for a whole short body. */
  withinMs: number;
  /** The time to wait for the next piece of a longer body. */
  idleMs: number;
  /** The minimum speed of a longer body while waiting for it. The time that its reader takes does not count. */
  minSpeed: MinSpeed;
}

/**
 * The reader of a demo has its own deadlines with better messages: these are for bytes that nobody reads, such as those around the file.
 */
const defaultWaits: BodyWaits = {
  withinMs: 30_000,
  idleMs: 2 * deadlines.upload.idleMs,
  minSpeed: deadlines.upload.minSpeed,
};

export interface LargerBody {
  method: "POST" | "PUT";
  /** Without a trailing slash; the path with one is the same route. Has `:name` for parameters. */
  path: string;
  maxBytes(config: Pick<Config, "MAX_DOWNLOAD_BYTES">): number;
  /** The message when the body is longer. */
  sentence(config: Pick<Config, "MAX_DOWNLOAD_BYTES">): string;
}

type LimitedConfig = Pick<Config, "MAX_DOWNLOAD_BYTES" | "TRUST_PROXY">;

/** The bytes that a form adds to its file: boundaries, headers, other fields. */
const formBytes = 64 * KiB;

const demoFile = {
  maxBytes: ({ MAX_DOWNLOAD_BYTES }: Pick<Config, "MAX_DOWNLOAD_BYTES">) => MAX_DOWNLOAD_BYTES + formBytes,
  sentence: ({ MAX_DOWNLOAD_BYTES }: Pick<Config, "MAX_DOWNLOAD_BYTES">) =>
    `The file is larger than this server accepts (${Math.floor(MAX_DOWNLOAD_BYTES / KiB ** 2)} MiB).`,
};

/** A form may have as many files as may wait, since browsers without JavaScript send them together. The API bounds each. */
const demoFiles = {
  maxBytes: ({ MAX_DOWNLOAD_BYTES }: Pick<Config, "MAX_DOWNLOAD_BYTES">) =>
    limits.importsInQueuePerUser * (MAX_DOWNLOAD_BYTES + formBytes),
  sentence: ({ MAX_DOWNLOAD_BYTES }: Pick<Config, "MAX_DOWNLOAD_BYTES">) =>
    `This is more than the server accepts: files of ${Math.floor(MAX_DOWNLOAD_BYTES / KiB ** 2)} MiB each, and ${limits.importsInQueuePerUser} times that at once. Go back and choose fewer of them.`,
};

const demoFilePart = {
  maxBytes: () => limits.uploadPartBytes,
  sentence: () => `A part may have at most ${limits.uploadPartBytes / KiB ** 2} MiB.`,
};

const withoutSlash = (path: string) => path.replace(/\/$/, "");

/** All routes with a longer limit. Their bodies are streams; all other routes get the whole body. */
export const largerBodies: readonly LargerBody[] = [
  { method: "POST", path: "/matches/upload", ...demoFiles },
  { method: "POST", path: withoutSlash(apiRoutes.matches.importDemoFile.path), ...demoFile },
  { method: "PUT", path: withoutSlash(apiRoutes.uploads.putPart.path), ...demoFilePart },
];

const largerPatterns = largerBodies.map((body) => ({
  body,
  pattern: new RegExp(`^${body.path.replace(/:\w+/g, "[^/]+")}/?$`),
}));

export interface BodyRefusal {
  status: 400 | 408 | 413 | 429;
  /** A short code for programs. */
  code: "body_cut_off" | "body_too_slow" | "body_too_large" | "too_many_bodies";
  sentence: string;
}

const cutOff: BodyRefusal = { status: 400, code: "body_cut_off", sentence: "The request was cut off." };
const tooSlow: BodyRefusal = { status: 408, code: "body_too_slow", sentence: "The request took too long to arrive." };
/** Not 408, after which a browser would send the whole file again. */
const uploadTooSlow: BodyRefusal = {
  status: 400,
  code: "body_too_slow",
  sentence: "The upload came too slowly, so we stopped it. Please try again.",
};
const tooLarge: BodyRefusal = {
  status: 413,
  code: "body_too_large",
  sentence: `A request may have at most ${defaultBodyBytes / KiB} KiB.`,
};
const tooMany: BodyRefusal = {
  status: 429,
  code: "too_many_bodies",
  sentence: "Too many requests from your network at once. Please try again in a moment.",
};

/**
 * Bounds the body of every request before any other code sees it. A short body is read here and passed on whole, so that no route can read
 * more. A longer one is refused, unread if its announced length is too large, and its connection is closed.
 * @param refuse makes the answer to a refused request
 */
export function limitBodies<Environment extends object>(
  config: LimitedConfig,
  refuse: (c: Context<Environment>, refusal: BodyRefusal) => Response,
  waits: BodyWaits = defaultWaits,
): MiddlewareHandler<Environment> {
  const underWay = new Map<string, number>();
  return async (c, next) => {
    const request = c.req.raw;
    const larger = largerBody(request.method, c.req.path);
    const maxBytes = larger ? larger.maxBytes(config) : defaultBodyBytes;
    const refusal = larger ? { ...tooLarge, sentence: larger.sentence(config) } : tooLarge;

    if (Number(request.headers.get("content-length") ?? 0) > maxBytes) {
      return closing(refuse(c, refusal), request.body?.getReader(), larger ? fileLinger : shortLinger);
    }
    if (request.method === "GET" || request.method === "HEAD") {
      await next();
      // No route reads the body of such a request, and the connection must not wait for it.
      if (announcesBody(request.headers)) c.header("Connection", "close");
      return;
    }
    if (!request.body) return next();
    const reader = request.body.getReader();
    if (larger) {
      const counted = countedBody(reader, maxBytes, waits);
      c.req.raw = withBody(request, counted.stream);
      await next();
      // The route only saw its stream break; the reason is known here.
      if (counted.isTooLong()) c.res = await closing(refuse(c, refusal), reader, fileLinger);
      else if (counted.isTooSlow()) c.res = await closing(refuse(c, uploadTooSlow));
      // The client is still sending. A call in process has no connection of its own.
      else if (!counted.isRead() && !isInProcess(c.env as ConnectionBindings | undefined))
        c.res = await closing(c.res, reader, fileLinger);
      return;
    }
    // A call in process already has its body.
    const network = !isInProcess(c.env as ConnectionBindings | undefined) ? networkOf(addressOf(c, config)) : null;
    if (network !== null && (underWay.get(network) ?? 0) >= maxBodiesOfNetwork) {
      return closing(refuse(c, tooMany), reader);
    }
    const bytes = await countedBy(underWay, network, () => readWhole(reader, maxBytes, waits.withinMs));
    if (bytes === tooLarge) return closing(refuse(c, refusal), reader);
    if ("status" in bytes) return closing(refuse(c, bytes));
    c.req.raw = withBody(request, bytes);
    await next();
  };
}

function addressOf(c: Context, config: LimitedConfig): string {
  const bindings = c.env as ConnectionBindings | undefined;
  return clientAddress(bindings, c.req.header("x-forwarded-for"), config.TRUST_PROXY);
}

/** Runs `read` and counts it under a name meanwhile; null is not counted. */
async function countedBy<Result>(
  counts: Map<string, number>,
  name: string | null,
  read: () => Promise<Result>,
): Promise<Result> {
  if (name === null) return read();
  counts.set(name, (counts.get(name) ?? 0) + 1);
  try {
    return await read();
  } finally {
    const left = (counts.get(name) ?? 1) - 1;
    if (left > 0) counts.set(name, left);
    else counts.delete(name);
  }
}

/** Whether a request's body is passed on as a stream, and may therefore take long. */
export function hasLongBody(method: string, path: string): boolean {
  return largerBody(method, path) !== undefined;
}

function largerBody(method: string, path: string): LargerBody | undefined {
  return largerPatterns.find(({ body, pattern }) => body.method === method && pattern.test(path))?.body;
}

function announcesBody(headers: Headers): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
}

function withBody(request: Request, body: BodyInit): Request {
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit);
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

async function readWhole(
  reader: BodyReader,
  maxBytes: number,
  withinMs: number,
): Promise<Uint8Array<ArrayBuffer> | BodyRefusal> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const late = pause(withinMs);
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), late.over]);
      if (!read) return tooSlow;
      if (read.done) return Buffer.concat(chunks);
      length += read.value.byteLength;
      if (length > maxBytes) return tooLarge;
      chunks.push(read.value);
    }
  } catch {
    return cutOff;
  } finally {
    late.end();
  }
}

/** Passes the bytes on; the stream breaks after `maxBytes`, or when they come too slowly. */
function countedBody(reader: BodyReader, maxBytes: number, { idleMs, minSpeed }: BodyWaits) {
  let length = 0;
  let isRead = false;
  let isTooSlow = false;
  let came = 0;
  let waitedMs = 0;
  const slow = () => {
    isTooSlow = true;
    return new Error("The body came too slowly");
  };
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const asked = performance.now();
      const late = pause(idleMs);
      const read = await Promise.race([reader.read(), late.over]).finally(late.end);
      if (!read) throw slow();
      isRead = read.done;
      if (read.done) return controller.close();
      length += read.value.byteLength;
      if (length > maxBytes) throw new Error(`The body is longer than ${maxBytes} bytes`);
      came += read.value.byteLength;
      waitedMs += performance.now() - asked;
      if (waitedMs >= minSpeed.withinMs) {
        if (came < minSpeed.bytes) throw slow();
        [came, waitedMs] = [0, 0];
      }
      controller.enqueue(read.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { stream, isTooLong: () => length > maxBytes, isTooSlow: () => isTooSlow, isRead: () => isRead };
}

/** How much of a refused body is read and discarded, so that its sender gets to read the answer. */
interface Linger {
  withinMs: number;
  maxBytes: number;
}

const shortLinger: Linger = { withinMs: 1000, maxBytes: 4 * KiB ** 2 };
/** A browser reads no answer before it has sent the whole file, or failed to. */
const fileLinger: Linger = { withinMs: deadlines.upload.refusedMs, maxBytes: 256 * KiB ** 2 };

/**
 * Closes the connection after the answer. If it closed while the client still sends, the kernel would answer with a reset that discards the
 * answer, so some of the rest is read and discarded first.
 */
async function closing(answer: Response, rest?: BodyReader, linger = shortLinger): Promise<Response> {
  const text = new Uint8Array(await answer.arrayBuffer());
  const headers = new Headers(answer.headers);
  headers.set("Connection", "close");
  headers.set("Content-Length", String(text.byteLength));
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(text);
      if (rest) await discard(rest, linger);
      controller.close();
    },
  });
  return new Response(body, { status: answer.status, headers });
}

async function discard(rest: BodyReader, linger: Linger): Promise<void> {
  let isOver = false;
  let stopWaiting = () => {};
  const enough = setTimeout(() => {
    isOver = true;
    stopWaiting();
  }, linger.withinMs);
  let length = 0;
  try {
    while (!isOver && length <= linger.maxBytes) {
      // Not a race with one promise for the whole time: that would keep every piece in memory until it settles.
      const read = await new Promise<ReadableStreamReadResult<Uint8Array> | null>((resolve, reject) => {
        stopWaiting = () => resolve(null);
        rest.read().then(resolve, reject);
      });
      if (!read || read.done) return;
      length += read.value.byteLength;
    }
  } catch {
    // The client has disconnected: nothing is left to read.
  } finally {
    clearTimeout(enough);
  }
}

function pause(ms: number): { over: Promise<null>; end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return { over, end: () => clearTimeout(timer) };
}
