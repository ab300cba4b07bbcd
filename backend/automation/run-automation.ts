import { providerFor } from "../matches/providers/provider-for.ts";
import type { Services } from "../services.ts";
import { isAway, lookForMatches } from "./look-for-matches.ts";
import { makeDueClips } from "./make-clips.ts";

/** What has been asked for is taken further this often; histories are looked at when each is due. */
const turnEveryMs = 10_000;
/** Longest pause after turns in which the provider gave nothing. */
const longestPauseMs = 15 * 60_000;

/**
 * Takes what players have made by itself further, from now on in this process. Several processes share the work. While the provider is away,
 * one process asks it less and less often, whoever is due; players' own waits are counted apart.
 */
export function startAutomation(services: Services): () => void {
  let isRunning = false;
  let outages = 0;
  let pausedUntil = 0;
  const turn = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      if (performance.now() >= pausedUntil && providerFor(services.config)) {
        const report = await lookForMatches(services);
        if (report.looks > report.failures) outages = 0;
        if (isAway(report)) pausedUntil = performance.now() + Math.min(2 ** outages++ * 30_000, longestPauseMs);
      }
      await makeDueClips(services);
    } catch (error) {
      services.log.warn({ err: error }, "automatic clips not taken further");
    } finally {
      isRunning = false;
    }
  };
  void turn();
  const timer = setInterval(turn, turnEveryMs).unref();
  return () => clearInterval(timer);
}
