import pLimit from "p-limit";
import { z } from "zod";
import { cleanPlayerName } from "../../contract/clean-text.ts";
import { textLimits } from "../../contract/text-limits.ts";
import type { Services } from "../services.ts";
import { type BoundedAnswer, boundedFetch, type Fetch, FetchFailedError } from "../waits/bounded-fetch.ts";
import { localAvatarPath } from "./local-avatar.ts";
import { readProfileXml } from "./profile-xml.ts";
import type { IdentityProvider } from "./steam-openid.ts";

/** A player's public name and picture. */
export interface SteamProfile {
  steamId: string;
  name: string;
  avatarUrl: string | null;
}

/** Where profiles are fetched. */
export interface ProfileSource {
  /** Key of the Web API; without it the public profile pages are read. */
  apiKey: string | undefined;
  webApiUrl: string;
  /** Base of the profile pages; a player's page is `{this}/{steamId}/?xml=1`. */
  profilesUrl: string;
  fetch?: Fetch | undefined;
  userAgent: string;
}

const idsPerCall = 100;
/** Steam answers a burst of profile pages with 429. A match has ten players: more pages than this are not worth the risk. */
const maxPagesPerRefresh = 20;
const pagesAtOnce = 4;
const profileKeptMs = 7 * 24 * 3600 * 1000;
const maxPageBytes = 256 * 1024;
const maxListBytes = 1024 * 1024;

/** Steam's own source if there is a key, else the profile pages of the configured identity provider. */
export function profileSource(services: Services, provider: IdentityProvider): ProfileSource {
  const { config } = services;
  return {
    apiKey: config.localIdentity ? undefined : config.STEAM_API_KEY,
    webApiUrl: config.STEAM_API_URL,
    profilesUrl: provider.endpoint.replace(/\/openid\/login$/, "/profiles"),
    fetch: provider.fetch,
    userAgent: `Clutchcast (+${config.publicUrl})`,
  };
}

/**
 * Fetches as many profiles as possible in the time.
 * @returns those found; unknown players and those without any public profile are absent
 * @throws FetchFailedError when no request succeeded
 */
export async function fetchProfiles(
  source: ProfileSource,
  steamIds: readonly string[],
  budgetMs: number,
): Promise<SteamProfile[]> {
  const deadline = performance.now() + budgetMs;
  const timeLeft = () => deadline - performance.now();
  return source.apiKey
    ? summariesOf(source, source.apiKey, steamIds, timeLeft)
    : pagesOf(source, steamIds.slice(0, maxPagesPerRefresh), timeLeft);
}

/**
 * Refreshes the stored profiles of players that are unknown or older than a week. Best effort: a failure is logged and keeps what is
 * stored. Makes no requests with the local identity provider, since there may be no internet.
 * @returns how many were refreshed
 */
export async function refreshProfiles(
  services: Services,
  steamIds: readonly string[],
  options: { budgetMs: number; source?: ProfileSource },
): Promise<number> {
  const { config, database, log } = services;
  if (config.localIdentity && !options.source) return 0;
  const wanted = [...new Set(steamIds)].filter((steamId) => /^\d{17}$/.test(steamId));
  if (wanted.length === 0) return 0;
  const fresh = await database
    .selectFrom("profiles")
    .select("steam_id")
    .where("steam_id", "in", wanted)
    .where("refreshed_at", ">", new Date(services.now().getTime() - profileKeptMs))
    .execute();
  const known = new Set(fresh.map((row) => row.steam_id));
  const stale = wanted.filter((steamId) => !known.has(steamId));
  if (stale.length === 0) return 0;
  const source = options.source ?? profileSource(services, { endpoint: config.steamOpenIdUrl });
  try {
    const profiles = await fetchProfiles(source, stale, options.budgetMs);
    for (const profile of profiles) await storeProfile(services, profile);
    return profiles.length;
  } catch (error) {
    if (!(error instanceof FetchFailedError)) throw error;
    log.warn({ err: error }, "player profiles could not be refreshed");
    return 0;
  }
}

/** Stores a profile, for pages to show. */
export async function storeProfile(services: Services, profile: SteamProfile): Promise<void> {
  const values = { name: profile.name, avatar_url: profile.avatarUrl, refreshed_at: services.now() };
  await services.database
    .insertInto("profiles")
    .values({ steam_id: profile.steamId, ...values })
    .onConflict((conflict) => conflict.column("steam_id").doUpdateSet(values))
    .execute();
}

const summariesSchema = z.object({
  response: z.object({
    players: z
      .array(
        z.object({
          steamid: z.string().max(textLimits.id),
          personaname: z.string().optional(),
          avatarfull: z.string().optional(),
        }),
      )
      .max(idsPerCall),
  }),
});

/** https://partner.steamgames.com/doc/webapi/ISteamUser#GetPlayerSummaries: up to a hundred players a call. */
async function summariesOf(
  source: ProfileSource,
  apiKey: string,
  steamIds: readonly string[],
  timeLeft: () => number,
): Promise<SteamProfile[]> {
  const profiles: SteamProfile[] = [];
  for (let start = 0; start < steamIds.length && timeLeft() > 0; start += idsPerCall) {
    const asked = steamIds.slice(start, start + idsPerCall);
    const address = new URL(`${source.webApiUrl}/ISteamUser/GetPlayerSummaries/v2/`);
    address.searchParams.set("key", apiKey);
    address.searchParams.set("steamids", asked.join(","));
    const answer = await askSource(source, address, maxListBytes, timeLeft());
    const parsed = answer.status === 200 ? summariesSchema.safeParse(jsonOrNull(answer.text)) : null;
    if (!parsed?.success) throw new FetchFailedError(`Steam's Web API answered ${answer.status}`);
    for (const player of parsed.data.response.players) {
      if (!asked.includes(player.steamid)) continue;
      profiles.push(profileOf(source, player.steamid, player.personaname ?? "", player.avatarfull));
    }
  }
  return profiles;
}

async function pagesOf(
  source: ProfileSource,
  steamIds: readonly string[],
  timeLeft: () => number,
): Promise<SteamProfile[]> {
  let failure: FetchFailedError | null = null;
  const profiles = await pLimit(pagesAtOnce).map(steamIds, async (steamId) => {
    // Stops at the first failure: further requests after a 429 prolong it.
    if (failure || timeLeft() <= 0) return [];
    try {
      const answer = await askForPage(source, steamId, timeLeft);
      if (answer.status !== 200) throw new FetchFailedError(`the profile page answered ${answer.status}`);
      const elements = readProfileXml(answer.text);
      if (elements.get("steamID64") !== steamId) return [];
      return [profileOf(source, steamId, elements.get("steamID") ?? "", elements.get("avatarFull"))];
    } catch (error) {
      if (!(error instanceof FetchFailedError)) throw error;
      failure ??= error;
      return [];
    }
  });
  const found = profiles.flat();
  if (failure && found.length === 0) throw failure;
  return found;
}

/** Follows the redirect from the number to a custom address (`/id/NAME`). */
async function askForPage(source: ProfileSource, steamId: string, timeLeft: () => number): Promise<BoundedAnswer> {
  const address = new URL(`${source.profilesUrl}/${steamId}/?xml=1`);
  const answer = await askSource(source, address, maxPageBytes, timeLeft());
  const location = answer.headers.get("location");
  if (answer.status < 300 || answer.status > 399 || !location || !URL.canParse(location, address)) return answer;
  const chosen = new URL(location, address);
  if (chosen.origin !== address.origin || !chosen.pathname.startsWith("/id/")) return answer;
  chosen.search = address.search;
  return askSource(source, chosen, maxPageBytes, timeLeft());
}

function askSource(source: ProfileSource, address: string | URL, maxBytes: number, timeoutMs: number) {
  const headers = { "User-Agent": source.userAgent };
  return boundedFetch(source.fetch, address, { headers }, { maxBytes, timeoutMs: Math.max(1, Math.round(timeoutMs)) });
}

function profileOf(source: ProfileSource, steamId: string, name: string, avatar: string | undefined): SteamProfile {
  return {
    steamId,
    name: cleanPlayerName(name) || steamId,
    avatarUrl: safeAvatarUrl(source, steamId, avatar?.trim()),
  };
}

/** Pictures come from https addresses, or from the local provider as a path, which survives a change of port. */
function safeAvatarUrl(source: ProfileSource, steamId: string, avatar: string | undefined): string | null {
  if (!avatar || avatar.length > 512 || !URL.canParse(avatar)) return null;
  const address = new URL(avatar);
  const local = localAvatarPath(steamId);
  if (address.origin === new URL(source.profilesUrl).origin && address.pathname === local) return local;
  return address.protocol === "https:" && address.href.length <= textLimits.url ? address.href : null;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
