import { randomBytes } from "node:crypto";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** What a host does with a connection once the request is there. @param request its head, as sent */
export type HostileAct = (socket: Socket, request: string) => void;

export interface HostileHost {
  /** `127.0.0.1:PORT`, for IMPORT_ALLOW_HOSTS. */
  host: string;
  /** Address of a demo at this host. */
  url: string;
  /** The heads of all requests so far, in order. */
  requests: string[];
  /** Connections that were accepted so far, with a request or without. */
  connections(): number;
  /** Resolves when the other side has closed every connection. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Listens on loopback and answers every request with an act: one of `hostileActs`, or any function that writes what it
 * likes into the socket. The act gets the bare socket, so it may break HTTP in every way.
 * @param atOnce acts when the connection opens, before any request: for hosts that speak out of turn
 */
export async function startHostileHost(act: HostileAct, { atOnce = false } = {}): Promise<HostileHost> {
  const open = new Set<Socket>();
  const requests: string[] = [];
  const waiting: (() => void)[] = [];
  let connections = 0;
  const server = createServer({ allowHalfOpen: false }, (socket) => {
    connections++;
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      open.delete(socket);
      if (open.size === 0) for (const resolve of waiting.splice(0)) resolve();
    });
    if (atOnce) act(socket, "");
    let head = "";
    socket.on("data", (bytes) => {
      const isWhole = head.includes("\r\n\r\n");
      head += bytes.toString("latin1");
      if (isWhole || !head.includes("\r\n\r\n")) return;
      requests.push(head);
      if (!atOnce) act(socket, head);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/match.dem`,
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

/** The beginning of a CS2 demo, which a download goes on with. */
export const demoBytes = Buffer.concat([Buffer.from("PBDEMS2\0"), randomBytes(64 * 1024)]);

/** Writes again and again until the connection ends, as fast as the other side reads. */
function forever(socket: Socket, piece: string, everyMs = 0): void {
  const next = () => {
    if (socket.destroyed) return;
    socket.write(piece, () => (everyMs > 0 ? setTimeout(next, everyMs) : setImmediate(next)));
  };
  next();
}

const head = (...lines: string[]) => `HTTP/1.1 ${lines.join("\r\n")}\r\n\r\n`;

const acts = {
  /** Switches to another protocol: Node's client then says neither `response` nor `error`. */
  switchProtocols: (socket) => socket.write(head("101 Switching Protocols", "Connection: Upgrade", "Upgrade: x")),
  /** The same without a word of which. */
  switchToNothing: (socket) => socket.write(head("101 Switching Protocols")),
  /** Never anything but “go on” and “hints”. */
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
  /** Accepts, and says nothing. */
  silence: () => {},
} satisfies Record<string, HostileAct>;

export type HostileActName = keyof typeof acts;

/** What hosts have done to us, or might. */
export const hostileActs: Record<HostileActName, HostileAct> = acts;
