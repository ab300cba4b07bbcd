export interface StreamGuard {
  /** The source may be silent for so long while somebody waits for it. */
  silentMs?: number;
  /** The reader may leave what is there for so long. */
  unreadMs?: number;
  /** Whoever reads is gone; the stream just ends. */
  signal?: AbortSignal;
}

/**
 * The same bytes. The source is cancelled, so that its file or connection closes, when it stands still, when nobody reads it
 * for too long, and when its reader goes away, be it before the first byte.
 */
export function guardedStream(
  source: ReadableStream<Uint8Array>,
  { silentMs, unreadMs, signal }: StreamGuard,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let end: (reason?: unknown) => void = () => {};
  // No error: nobody is there to see one.
  const onAbort = () => end();
  const restartTimer = (ms: number | undefined, sentence: string) => {
    clearTimeout(timer);
    if (ms !== undefined && !isOver) timer = setTimeout(() => end(new Error(sentence)), ms);
  };
  const settle = () => {
    isOver = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        end = (reason) => {
          if (isOver) return;
          settle();
          if (reason === undefined) controller.close();
          else controller.error(reason);
          reader.cancel(reason).catch(() => {});
        };
        if (signal?.aborted) return onAbort();
        signal?.addEventListener("abort", onAbort, { once: true });
        restartTimer(unreadMs, "Nobody reads.");
      },
      async pull(controller) {
        restartTimer(silentMs, "Nothing more came.");
        try {
          const { done, value } = await reader.read();
          if (isOver) return;
          if (done) {
            settle();
            return controller.close();
          }
          controller.enqueue(value);
          restartTimer(unreadMs, "Nobody reads.");
        } catch (error) {
          end(error);
        }
      },
      cancel(reason) {
        settle();
        return reader.cancel(reason);
      },
    },
    // Reads nothing ahead: the source has a buffer of its own.
    { highWaterMark: 0 },
  );
}
