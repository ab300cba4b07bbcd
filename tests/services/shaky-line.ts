import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

/** A line to a server, for browsers: a proxy of TCP that can be cut, and stand still. */
export interface ShakyLine {
  url: string;
  /** All that went up so far. */
  bytesUp(): number;
  /** Breaks the line off once so many bytes have gone up in all, 0 for at once, and refuses connections until `mend`. */
  cutAt(bytesUp: number): void;
  /** Lets no more than so many bytes up until `mend`. */
  holdAt(bytesUp: number): void;
  mend(): void;
  close(): Promise<void>;
}

/** @param port of the server on this machine, which may be away at times */
export async function startShakyLine(port: number): Promise<ShakyLine> {
  let up = 0;
  let cutAt = Number.POSITIVE_INFINITY;
  let holdAt = Number.POSITIVE_INFINITY;
  const pairs = new Set<readonly [Socket, Socket]>();
  const breakOff = () => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  };
  const resume = () => {
    for (const [visitor] of pairs) visitor.resume();
  };
  const server = createServer((visitor) => {
    if (up >= cutAt) return void visitor.resetAndDestroy();
    const target = connect(port, "127.0.0.1");
    const pair = [visitor, target] as const;
    pairs.add(pair);
    for (const [socket, other] of [pair, [target, visitor] as const]) {
      socket.on("error", () => {});
      socket.on("close", () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
    target.pipe(visitor);
    visitor.on("data", (bytes) => {
      up += bytes.length;
      if (up >= cutAt) return breakOff();
      if (!target.write(bytes)) {
        visitor.pause();
        target.once("drain", () => up < holdAt && visitor.resume());
      }
      if (up >= holdAt) visitor.pause();
    });
    if (up >= holdAt) visitor.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    bytesUp: () => up,
    cutAt(bytes) {
      cutAt = bytes;
      if (up >= cutAt) breakOff();
    },
    holdAt(bytes) {
      holdAt = bytes;
    },
    mend() {
      [cutAt, holdAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      resume();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      breakOff();
      await closed;
    },
  };
}
