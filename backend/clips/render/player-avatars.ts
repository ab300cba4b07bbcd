import { LRUCache } from "lru-cache";
import { profilesOfPlayers } from "../../matches/player-profiles.ts";
import { pinnedRequest } from "../../outgoing/pinned-request.ts";
import { checkedAddresses } from "../../outgoing/public-address.ts";
import type { Services } from "../../services.ts";
import type { DemoPlayer } from "../../storage/schema.ts";
import { type AvatarFile, maxAvatarBytes } from "../../video/avatars.ts";
import { deadlines } from "../../waits/deadlines.ts";

/** Ten play, some leave and are replaced. */
const mostPlayers = 16;
/** A picture's address at Steam holds the hash of its content, so what is kept is never old. */
const keptPictures = new LRUCache<string, { base64: string | null }>({ max: 300 });
/** What is not there, and who does not answer, is left alone for a while. */
const failureKeptMs = 10 * 60_000;
/** Hosts that did not answer: no clip waits for them twice, whichever its players are. */
const silentHosts = new LRUCache<string, true>({ max: 100, ttl: failureKeptMs });

/** A host answered, and not with a picture. */
export class NoPictureError extends Error {}

/** Asks for a picture. @throws as `askPicture` */
export type AskPicture = (address: string, signal: AbortSignal) => Promise<Buffer>;

/**
 * The pictures of a match's players as far as their profiles are known and their hosts answer in time. Best effort: a clip
 * is drawn without those that are missing.
 */
export async function playerAvatars(
  services: Services,
  players: readonly DemoPlayer[],
  signal: AbortSignal,
  ask: AskPicture = askPicture,
): Promise<AvatarFile[]> {
  // The local identity provider's pictures are drawn by itself, and there may be no internet.
  if (services.config.localIdentity) return [];
  const profiles = await profilesOfPlayers(services, [players]);
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(deadlines.steam.avatarsMs)]);
  const wanted = players.flatMap((player, index) => {
    const address = player.steam_id === null ? null : profiles.get(player.steam_id)?.avatar_url;
    return player.team !== null && address?.startsWith("https://") ? [{ index, address }] : [];
  });
  const found = await Promise.all(
    wanted.slice(0, mostPlayers).map(async ({ index, address }) => {
      const base64 = await picture(address, { inTime, ended: signal }, ask);
      return base64 === null ? [] : [{ player: index, base64 }];
    }),
  );
  signal.throwIfAborted();
  return found.flat();
}

async function picture(
  address: string,
  { inTime, ended }: { inTime: AbortSignal; ended: AbortSignal },
  ask: AskPicture,
): Promise<string | null> {
  const kept = keptPictures.get(address);
  if (kept) return kept.base64;
  const { host } = new URL(address);
  if (silentHosts.has(host)) return null;
  try {
    const base64 = (await ask(address, inTime)).toString("base64");
    keptPictures.set(address, { base64 });
    return base64;
  } catch (error) {
    if (error instanceof NoPictureError) keptPictures.set(address, { base64: null }, { ttl: failureKeptMs });
    // A clip that was deleted meanwhile says nothing of the host.
    else if (!ended.aborted) silentHosts.set(host, true);
    return null;
  }
}

/**
 * Over https, at a public address only, following no redirect.
 * @throws NoPictureError for an answer that is none; whatever kept the host from answering
 */
export async function askPicture(address: string, signal: AbortSignal): Promise<Buffer> {
  const url = new URL(address);
  const addresses = await checkedAddresses(url, [], undefined, deadlines.steam.avatarsMs);
  const answer = await pinnedRequest(url, addresses, {
    headers: { Accept: "image/jpeg, image/png" },
    signal,
    connectMs: deadlines.steam.avatarsMs,
  });
  try {
    if (answer.statusCode !== 200) throw new NoPictureError(`The picture's host answered ${answer.statusCode}.`);
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of answer.body) {
      bytes += piece.length;
      if (bytes > maxAvatarBytes) throw new NoPictureError("The picture is too large.");
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } finally {
    answer.close();
  }
}
