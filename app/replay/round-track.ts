/** The replay track of a round, which is the same for every followed player. */
export interface RoundTrack {
  /** Shared by all callers. After a failure, or when it was given up, it is requested anew. */
  load(): Promise<ArrayBuffer>;
  /** Gives it up, so that on a slow line it does not delay what is waited for. */
  giveUp(): void;
}

/** @param ask gives up at its signal */
export function createRoundTrack(ask: (signal: AbortSignal) => Promise<ArrayBuffer>): RoundTrack {
  let asked: { track: Promise<ArrayBuffer>; end: AbortController } | null = null;
  return {
    load() {
      if (asked) return asked.track;
      const end = new AbortController();
      const track = ask(end.signal);
      asked = { track, end };
      track.catch(() => {
        if (asked?.track === track) asked = null;
      });
      return track;
    },
    giveUp() {
      asked?.end.abort();
      asked = null;
    },
  };
}
