/** What a round is drawn from, whoever is followed. */
export interface RoundTrack {
  /** The same for all who ask; what did not come, or was given up, is asked for anew. */
  load(): Promise<ArrayBuffer>;
  /** Nobody shows it any more: on a slow line it would come before what is waited for. */
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
