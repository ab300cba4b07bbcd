/** The progress of a render at a time. */
export interface ProgressSample {
  /** Milliseconds; any clock, but always the same. */
  at: number;
  /** 0..1 */
  progress: number;
}

/** The first twentieth is preparation, whose pace says nothing about the rest (`render-clip.ts`). */
const drawnFrom = 0.05;
/** Samples closer together than this would only allow a guess. */
const shortestMs = 2000;

/**
 * Seconds until a render is done, at its pace so far.
 * @param samples in the order in which they were taken; if progress fell, the render began again
 * @returns null while too little is known
 */
export function secondsLeft(samples: readonly ProgressSample[]): number | null {
  const fellBack = samples.flatMap(({ progress }, index) =>
    progress < (samples[index - 1]?.progress ?? 0) ? index : [],
  );
  const run = samples.slice(fellBack.at(-1) ?? 0).filter(({ progress }) => progress >= drawnFrom);
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last || last.at - first.at < shortestMs || last.progress <= first.progress) return null;
  return ((1 - last.progress) * (last.at - first.at)) / (last.progress - first.progress) / 1000;
}

/** Seconds in words: exact for short waits, rough for long ones. */
export function timeLeftText(seconds: number): string {
  if (seconds < 5) return "a few seconds left";
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} s left`;
  const minutes = Math.round(seconds / 60);
  return `about ${Math.max(1, minutes)} min left`;
}

const mostSamples = 40;
const kept = new Map<string, ProgressSample[]>();

/** Records progress under a key. Only in a browser: a server has many visitors and no use for it. */
export function noteProgress(key: string, progress: number, at: number): void {
  const samples = kept.get(key) ?? [];
  if (samples.at(-1)?.at === at) return;
  kept.set(key, [...samples, { at, progress }].slice(-mostSamples));
}

/** @returns null while too little has been recorded */
export function noted(key: string): number | null {
  return secondsLeft(kept.get(key) ?? []);
}
