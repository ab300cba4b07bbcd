import { randomBytes } from "node:crypto";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** What a host does with a connection after the request has arrived. @param request its head, as sent */
export type HostileAct = (socket: Socket, request: string) => void;

export interface HostileHost {
  /** `127.0.0.1:PORT`, for IMPORT_ALLOW_HOSTS. */
  host: string;
  /** Address of a demo on this host. */
  url: string;
  /** The heads of all requests so far, in order. */
  requests: string[];
  /** Number of accepted connections so far, with a request or without. */
  connections(): number;
  /** Resolves when the other side has closed every connection. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Listens on loopback and answers every request with an act: one of `hostileActs`, one from a function such as `drip`, or any function that
 * writes into the socket. The act gets the bare socket, so it may break HTTP in every way. `requests` and `connections` tell what the other
 * side did, `allClosed` that it left nothing open.
 * @param atOnce acts when the connection opens, before any request: for hosts that speak out of turn
 * @param certificate speaks TLS with it (PEM), as returned by `makeCertificate`
 */
export async function startHostileHost(
  act: HostileAct,
  { atOnce = false, certificate }: { atOnce?: boolean; certificate?: { key: string; cert: string } } = {},
): Promise<HostileHost> {
  const open = new Set<Socket>();
  const requests: string[] = [];
  const waiting: (() => void)[] = [];
  let connections = 0;
  const track = (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      open.delete(socket);
      if (open.size === 0) for (const resolve of waiting.splice(0)) resolve();
    });
  };
  const answer = (socket: Socket) => {
    socket.on("error", () => {});
    if (atOnce) act(socket, "");
    let head = "";
    socket.on("data", (bytes) => {
      const isWhole = head.includes("\r\n\r\n");
      head += bytes.toString("latin1");
      if (isWhole || !head.includes("\r\n\r\n")) return;
      requests.push(head);
      if (!atOnce) act(socket, head);
    });
  };
  const server = certificate ? createTlsServer(certificate, answer) : createServer(answer);
  server.on("connection", track);
  // A client that does not trust the certificate just hangs up.
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `${certificate ? "https" : "http"}://${host}/match.dem`,
    requests,
    connections: () => connections,
    allClosed: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** The beginning of a CS2 demo, at which downloads go on. */
export const demoBytes = Buffer.concat([Buffer.from("PBDEMS2\0"), randomBytes(64 * 1024)]);

/** Writes repeatedly until the connection ends, as fast as the other side reads. */
function forever(socket: Socket, piece: string, everyMs = 0): void {
  const next = () => {
    if (socket.destroyed) return;
    socket.write(piece, () => (everyMs > 0 ? setTimeout(next, everyMs) : setImmediate(next)));
  };
  next();
}

const head = (...lines: string[]) => `HTTP/1.1 ${lines.join("\r\n")}\r\n\r\n`;

/** The start of a valid answer. */
const ok = (...headers: string[]) => head("200 OK", ...headers);

const acts = {
  /** Switches to another protocol: Node's client then emits neither `response` nor `error`. */
  switchProtocols: (socket) => socket.write(head("101 Switching Protocols", "Connection: Upgrade", "Upgrade: x")),
  /** The same without naming a protocol. */
  switchToNothing: (socket) => socket.write(head("101 Switching Protocols")),
  /** Only ever sends “Continue” and “Early Hints”. */
  endlessInformation: (socket) => forever(socket, `${head("100 Continue")}${head("103 Early Hints", "Link: </a>")}`),
  /** One short header after another. */
  endlessHeaders: (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    forever(socket, "X-More: and more\r\n");
  },
  /** One header without an end. */
  hugeHeader: (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nX-Huge: ");
    forever(socket, "x".repeat(1024));
  },
  /** Speaks another protocol. */
  noHttp: (socket) => socket.write("SSH-2.0-OpenSSH_9.6\r\n"),
  /** Accepts, and sends nothing. */
  silence: () => {},
  /** Answers, and closes before the body. */
  closeAfterHead: (socket) => socket.end(ok("Content-Length: 100000")),
  /** Closes without an answer. */
  hangUp: (socket) => socket.end(),
  /** Resets the connection instead of answering. */
  reset: (socket) => socket.resetAndDestroy(),
  /** Resets it in the middle of the body. */
  resetInBody: (socket) => {
    socket.write(ok("Content-Length: 100000"));
    socket.write(demoBytes.subarray(0, 30_000), () => setTimeout(() => socket.resetAndDestroy(), 20));
  },
  /** Sends one byte of the file, wherever the request starts, and closes the connection. */
  byteAConnection: (socket, request) => {
    const from = Number(/^range: bytes=(\d+)-/im.exec(request)?.[1] ?? 0);
    const range = from > 0 ? [`Content-Range: bytes ${from}-999999/1000000`] : [];
    const status = from > 0 ? "206 Partial Content" : "200 OK";
    const length = `Content-Length: ${1_000_000 - from}`;
    socket.write(head(status, 'ETag: "1"', length, ...range));
    socket.write(demoBytes.subarray(from, from + 1), () => setTimeout(() => socket.end(), 10));
  },
  /** Ends a body before its announced length. */
  promiseMore: (socket) => socket.end(Buffer.concat([Buffer.from(ok("Content-Length: 70000")), demoBytes])),
  /** Goes on beyond the announced length. */
  promiseLess: (socket) => socket.end(Buffer.concat([Buffer.from(ok("Content-Length: 60000")), demoBytes])),
  /** Sends part of another file than at first. */
  wrongPart: (socket, request) => {
    const from = Number(/^range: bytes=(\d+)-/im.exec(request)?.[1] ?? 0);
    if (from > 0) {
      socket.write(head("206 Partial Content", `Content-Range: bytes ${from}-60000/60001`, "Connection: close"));
      socket.end(demoBytes);
    } else {
      socket.write(ok('ETag: "1"', "Content-Length: 60001"));
      socket.write(demoBytes.subarray(0, 30_000), () => setTimeout(() => socket.end(), 20));
    }
  },
  /** The extension of a chunk, without an end. */
  endlessChunkExtension: (socket) => {
    socket.write(`${ok("Transfer-Encoding: chunked")}5;x=`);
    forever(socket, "x".repeat(1024));
  },
  /** Every byte in its own chunk, with a long extension. */
  byteAChunk: (socket) => {
    socket.write(`${ok("Transfer-Encoding: chunked")}3e8\r\n`);
    socket.write(Buffer.concat([demoBytes.subarray(0, 1000), Buffer.from("\r\n")]));
    forever(socket, `1;x=${"x".repeat(1000)}\r\nP\r\n`);
  },
  /** An invalid length. */
  brokenChunk: (socket) => socket.write(`${ok("Transfer-Encoding: chunked")}not a number\r\n`),
  /** Two lengths that contradict each other. */
  twoLengths: (socket) => socket.write(ok("Content-Length: 5", "Content-Length: 6")),
  /** Redirects to itself, each time with a body that never ends. */
  endlessRedirects: (socket) => {
    socket.write(head("302 Found", "Location: /again.dem", "Transfer-Encoding: chunked"));
    forever(socket, "400\r\n".concat("x".repeat(1024), "\r\n"));
  },
  /** Redirects to an address that, used unchanged, would end the request line and add a header. */
  splitRequest: (socket, request) => {
    if (request.includes("/split")) socket.end(Buffer.concat([Buffer.from(ok("Connection: close")), demoBytes]));
    else socket.end(head("302 Found", "Location: /split%0d%0aX-Injected: 1\tHTTP/1.1\u000bX-Injected: 1"));
  },
  /** The same with a header folded onto the next line. */
  foldedLocation: (socket) => socket.end(head("302 Found", "Location: /a\r\n X-Injected: 1")),
  /** Compresses the body against the request. */
  packedAnyway: (socket) => {
    const packed = gzipSync(demoBytes);
    socket.end(Buffer.concat([Buffer.from(ok("Content-Encoding: gzip", `Content-Length: ${packed.length}`)), packed]));
  },
  /** Compresses it in an unsupported format. */
  packedOddly: (socket) => {
    const packed = brotliCompressSync(demoBytes);
    socket.end(Buffer.concat([Buffer.from(ok("Content-Encoding: br", `Content-Length: ${packed.length}`)), packed]));
  },
  /** Meaningless bytes, for a host that speaks at once. */
  garbage: (socket) => forever(socket, randomBytes(1024).toString("latin1")),
} satisfies Record<string, HostileAct>;

export type HostileActName = keyof typeof acts;

/** Behaviours of hosts that we have met, or might. */
export const hostileActs: Record<HostileActName, HostileAct> = acts;

/** Sends the beginning of a demo, then a few bytes at a time without an end. */
export function drip({ bytes, everyMs }: { bytes: number; everyMs: number }): HostileAct {
  return (socket) => {
    socket.write(ok());
    socket.write(demoBytes.subarray(0, 1000));
    forever(socket, "x".repeat(bytes), everyMs);
  };
}
