import { LRUCache } from "lru-cache";
import { type Config, environmentSchema } from "../../config.ts";
import { faceitProvider } from "./faceit.ts";
import type { HistoryProvider, RecentMatch } from "./history-provider.ts";
import { leetifyProvider } from "./leetify.ts";

const keptMs = 60_000;
const maxKept = 1000;

const providers = new WeakMap<Config, { provider: HistoryProvider | null }>();

/**
 * The configured history provider, the same one for the same configuration, answering the same question once a minute. Null
 * when there is none: HISTORY_PROVIDER=none, FACEIT without a key, or local use (no PUBLIC_URL), which asks nothing of the
 * internet unless the provider's address is set.
 */
export function providerFor(config: Config): HistoryProvider | null {
  let known = providers.get(config);
  if (!known) {
    const provider = makeProvider(config);
    known = { provider: provider && keptShortly(provider) };
    providers.set(config, known);
  }
  return known.provider;
}

function makeProvider(config: Config): HistoryProvider | null {
  const { LEETIFY_API_URL, FACEIT_API_URL } = environmentSchema.shape;
  const isOnline = (address: string, standard: string) => !config.localIdentity || address !== standard;
  if (config.HISTORY_PROVIDER === "leetify" && isOnline(config.LEETIFY_API_URL, LEETIFY_API_URL.parse(undefined))) {
    return leetifyProvider({ apiUrl: config.LEETIFY_API_URL, apiKey: config.LEETIFY_API_KEY });
  }
  const isFaceit = config.HISTORY_PROVIDER === "faceit" && config.FACEIT_API_KEY;
  if (isFaceit && isOnline(config.FACEIT_API_URL, FACEIT_API_URL.parse(undefined))) {
    return faceitProvider({ apiUrl: config.FACEIT_API_URL, apiKey: config.FACEIT_API_KEY ?? "" });
  }
  return null;
}

/**
 * Keeps answers and refusals for a minute: pages ask again with every visit, and a refused provider wants a pause. Promises are
 * kept, so that who asks meanwhile waits for the same answer, and a refusal stays.
 */
function keptShortly(provider: HistoryProvider): HistoryProvider {
  const kept = new LRUCache<string, Promise<RecentMatch[]>>({ max: maxKept, ttl: keptMs, ttlResolution: 0 });
  return {
    ...provider,
    recentMatches(steamId) {
      const known = kept.get(steamId);
      if (known) return known;
      const matches = provider.recentMatches(steamId);
      kept.set(steamId, matches);
      return matches;
    },
  };
}
