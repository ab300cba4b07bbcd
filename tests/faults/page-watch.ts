import { type RunningVisitors, startVisitors } from "../../bench/load/run-visitors.ts";
import type { FaultRun } from "./fault-run.ts";
import type { Judge } from "./judgement.ts";

/** Opens pages all the time while something else goes on, from a process of its own. */
export function watchPages(run: FaultRun, url: string, pages: readonly string[]): RunningVisitors {
  const visitors = startVisitors({
    url,
    visitors: 2,
    // Ended by `end`, and when the part is broken off.
    seconds: 24 * 3600,
    thinkMs: 150,
    pages: [...pages],
    files: [],
    cookies: [],
    isProxied: false,
  });
  let isEnded = false;
  const end = () => {
    isEnded = true;
    return visitors.end();
  };
  run.atEnd(() => (isEnded ? undefined : end().catch(() => {})));
  return { figures: visitors.figures, end };
}

/** Judges what they saw: every page came, and within so many milliseconds at the given place among all times. */
export async function judgePages(
  watch: RunningVisitors,
  judge: Judge,
  { place, withinMs }: { place: "p99" | "max"; withinMs: number },
): Promise<void> {
  const figures = await watch.end();
  judge.count(figures.pages);
  for (const [what, count] of Object.entries(figures.errors)) judge.fault(`${count} × ${what}`);
  const shown = `p99 ${figures.p99.toFixed(0)} ms, most ${figures.max.toFixed(0)} ms (the machine adds ${figures.ownDelayP99.toFixed(0)} ms)`;
  if (figures[place] > withinMs) judge.fault(shown);
  judge.note(shown);
}
