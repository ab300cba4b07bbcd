import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import { FetchFailedError } from "../waits/bounded-fetch.ts";
import { deadlines } from "../waits/deadlines.ts";
import { startSession } from "./sessions.ts";
import { maySignIn } from "./sign-in-allow.ts";
import { type IdentityProvider, SignInError } from "./steam-openid.ts";
import { fetchProfiles, profileSource, type SteamProfile, storeProfile } from "./steam-profile.ts";

/**
 * Signs in the player whom the identity provider confirmed: finds or creates the account, updates name and picture if they are available,
 * and begins a session.
 * @param device the player's name for the browser's device, see `deviceName`
 * @throws SignInError when the operator keeps a list of players, and this one is not on it
 */
export async function signIn(
  services: Services,
  provider: IdentityProvider,
  steamId: string,
  device: string | null = null,
): Promise<{ user: User; token: string; expiresAt: Date }> {
  if (!maySignIn(services.config, steamId)) throw new SignInError("not_allowed", `${steamId} is not on SIGN_IN_ALLOW`);
  const profile = await ownProfile(services, provider, steamId);
  // In one transaction, so that an account deletion cannot come in between.
  const signedIn = await services.database.transaction().execute(async (transaction) => {
    const within = { ...services, database: transaction };
    const user = await findOrMakeUser(within, steamId, profile);
    return { user, ...(await startSession(within, user.id, device)) };
  });
  services.log.info({ user: signedIn.user.id }, "signed in");
  return signedIn;
}

async function ownProfile(services: Services, provider: IdentityProvider, steamId: string) {
  try {
    const [profile] = await fetchProfiles(profileSource(services, provider), [steamId], deadlines.steam.ownProfileMs);
    if (profile) await storeProfile(services, profile);
    return profile ?? null;
  } catch (error) {
    if (!(error instanceof FetchFailedError)) throw error;
    services.log.warn({ err: error }, "sign-in goes on without name and picture");
    return null;
  }
}

async function findOrMakeUser(services: Services, steamId: string, profile: SteamProfile | null): Promise<User> {
  const now = services.now();
  const fields = profile && { steam_name: profile.name, avatar_url: profile.avatarUrl };
  return services.database
    .insertInto("users")
    .values({ steam_id: steamId, created_at: now, ...(fields ?? { steam_name: steamId }) })
    .onConflict((conflict) => conflict.column("steam_id").doUpdateSet(fields ?? { steam_id: steamId }))
    .returningAll()
    .executeTakeFirstOrThrow();
}
