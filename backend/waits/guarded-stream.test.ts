import { expect, test } from "vitest";
import { guardedStream, type StreamGuard } from "./guarded-stream.ts";

/** A source with this many pieces and then silence; records calls of `pull` and `cancel`. */
function source(pieces: number, { ends = false } = {}) {
  const told: unknown[] = [];
  let given = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (given < pieces) return controller.enqueue(new Uint8Array([given++]));
        if (ends) return controller.close();
        return new Promise(() => {});
      },
      cancel: (reason) => void told.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { stream, told };
}

const guarded = (pieces: number, guard: StreamGuard, ends = false) => {
  const { stream, told } = source(pieces, { ends });
  return { reader: guardedStream(stream, guard).getReader(), told };
};

test("All bytes pass, and the end", async () => {
  const { reader, told } = guarded(
    2,
    { silentMs: 10_000, unreadMs: 10_000, signal: new AbortController().signal },
    true,
  );
  expect(await reader.read()).toEqual({ done: false, value: new Uint8Array([0]) });
  expect(await reader.read()).toEqual({ done: false, value: new Uint8Array([1]) });
  expect(await reader.read()).toMatchObject({ done: true });
  expect(told).toEqual([]);
});

test("A source that stands still is cancelled, and its reader is told", async () => {
  const { reader, told } = guarded(1, { silentMs: 30 });
  await reader.read();
  await expect(reader.read()).rejects.toThrow("Nothing more came.");
  expect(told).toHaveLength(1);
});

test("A source that nobody reads is cancelled", async () => {
  const { reader, told } = guarded(5, { unreadMs: 30 });
  await reader.read();
  await expect(reader.closed).rejects.toThrow("Nobody reads.");
  expect(told).toHaveLength(1);
  const never = guarded(5, { unreadMs: 30 });
  await expect(never.reader.closed).rejects.toThrow("Nobody reads.");
  expect(never.told).toHaveLength(1);
});

test("A reader who is gone ends the source, before the first byte, in the middle, and while it waits", async () => {
  const early = guarded(5, { signal: AbortSignal.abort() });
  await early.reader.closed;
  expect(early.told).toHaveLength(1);
  const controller = new AbortController();
  const late = guarded(1, { signal: controller.signal });
  await late.reader.read();
  const waiting = late.reader.read();
  controller.abort();
  expect(await waiting).toMatchObject({ done: true });
  expect(late.told).toHaveLength(1);
  const cancelled = guarded(5, {});
  await cancelled.reader.cancel("enough");
  expect(cancelled.told).toEqual(["enough"]);
});
