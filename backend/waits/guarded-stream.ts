export interface StreamGuard {
  /** How long the source may be silent while a reader waits. */
  silentMs?: number;
  /** How long the reader may leave available data unread. */
  unreadMs?: number;
  /** The reader is gone; the stream just ends. */
  signal?: AbortSignal;
}

/**
 * Passes the bytes on. Cancels the source, so that its file or connection closes, when it stalls, when nobody reads for too long, and when
 * the reader leaves, even before the first byte.
 */
export function guardedStream(
  source: ReadableStream<Uint8Array>,
  { silentMs, unreadMs, signal }: StreamGuard,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let end: (reason?: unknown) => void = () => {};
  // No error, since nobody is there to see one.
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
    // Reads nothing ahead: the source has its own buffer.
    { highWaterMark: 0 },
  );
}
