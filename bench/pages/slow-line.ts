import type { AddressInfo } from "node:net";
import { createServer, connect as dial, type Socket } from "node:net";

/** Lighthouse's simulation of phones: 150 ms round trip, 1.6 Mbit/s for all connections together. */
const slow4g = { roundTripMs: 150, bitsPerSecond: 1_638_400 };

/**
 * A connection to a local port, as slow as a phone's. Unlike the browser's own throttle it also slows workers.
 * @returns the port at which it is reached
 */
export async function startSlowLine(
  port: number,
  { roundTripMs, bitsPerSecond } = slow4g,
): Promise<{ port: number; close(): void }> {
  let freeAt = 0;
  const sockets = new Set<Socket>();
  /** Passes data on with a delay, one chunk after the other. */
  const pass = (from: Socket, to: Socket, isDown: boolean, openMs: number) => {
    let last = Promise.resolve();
    const later = (due: number, act: () => void) => {
      last = last
        .then(() => new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, due - performance.now()))))
        .then(act);
    };
    const opened = performance.now() + openMs;
    from.on("data", (piece) => {
      const now = performance.now();
      if (isDown) freeAt = Math.max(freeAt, now) + (piece.length * 8000) / bitsPerSecond;
      const due = Math.max(isDown ? freeAt : now, opened) + roundTripMs / 2;
      if (isDown) {
        from.pause();
        setTimeout(() => from.resume(), Math.max(0, freeAt - now));
      }
      later(due, () => to.writable && to.write(piece));
    });
    from.on("end", () => later(performance.now() + roundTripMs / 2, () => to.end()));
    from.on("error", () => to.destroy());
    from.on("close", () => later(performance.now() + roundTripMs / 2, () => to.destroy()));
  };
  const server = createServer((near) => {
    const far = dial(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("close", () => sockets.delete(socket));
    }
    // Opening a connection takes one round trip.
    pass(near, far, false, roundTripMs);
    pass(far, near, true, 0);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
