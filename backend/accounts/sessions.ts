import { createHash, createHmac, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { cleanPlayerName } from "../../contract/clean-text.ts";
import type { OwnSession } from "../../contract/schemas/accounts.ts";
import type { Services } from "../services.ts";
import { isDiskFull } from "../storage/disk-full.ts";
import { keptPlan } from "../storage/kept-plan.ts";
import type { User } from "../storage/schema.ts";
import { maySignIn } from "./sign-in-allow.ts";
import { userColumns } from "./user-columns.ts";

const dayMs = 24 * 3600 * 1000;

/** A session ends when it is not used for this long. */
const sessionIdleMs = 14 * dayMs;
/** A session ends after this time, however much it is used. */
export const sessionLifetimeMs = 90 * dayMs;
/** `last_seen_at` is written at most this often: a write for every request would cost more than the request. */
const lastSeenWriteMs = 5 * 60 * 1000;

/** Enough to list; "sign out everywhere" ends those beyond. */
const shownSessions = 100;

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

export interface FoundSession {
  idHash: string;
  user: User;
}

/** Begins a session. Only the SHA-256 of the token is stored, so a stolen database opens no session. */
export async function startSession(
  services: Services,
  userId: number,
  device: string | null = null,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString("base64url");
  const now = services.now();
  const expiresAt = new Date(now.getTime() + sessionLifetimeMs);
  await services.database
    .insertInto("sessions")
    .values({
      id_hash: hashOf(token),
      user_id: userId,
      created_at: now,
      last_seen_at: now,
      expires_at: expiresAt,
      device,
    })
    .execute();
  return { token, expiresAt };
}

/** The session of a token and its user; null when there is none, it has ended, or its player may no longer sign in. */
export async function findSession(services: Services, token: string): Promise<FoundSession | null> {
  if (!tokenPattern.test(token)) return null;
  const idHash = hashOf(token);
  const row = await services.database
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .modifyFront(keptPlan)
    .select(userColumns)
    .select(["sessions.last_seen_at", "sessions.expires_at"])
    .where("sessions.id_hash", "=", idHash)
    .executeTakeFirst();
  if (!row || !maySignIn(services.config, row.steam_id)) return null;
  const { last_seen_at, expires_at, ...stored } = row;
  // Players whose names were stored before the current rules of cleaning are shown on every page, too.
  const user = { ...stored, steam_name: cleanPlayerName(stored.steam_name) || stored.steam_id };
  const now = services.now();
  const unseenMs = now.getTime() - last_seen_at.getTime();
  if (now >= expires_at || unseenMs >= sessionIdleMs) {
    await endSession(services, idHash);
    return null;
  }
  if (unseenMs >= lastSeenWriteMs) {
    await services.database
      .updateTable("sessions")
      .set({ last_seen_at: now })
      .where("id_hash", "=", idHash)
      .where("last_seen_at", "<", now)
      .execute()
      .catch((error: unknown) => {
        // Reading a page must work on a full disk.
        if (!isDiskFull(error)) throw error;
      });
  }
  return { idHash, user };
}

/** Ends a session at once; does nothing if it has ended. */
export async function endSession(services: Services, idHash: string): Promise<void> {
  await services.database.deleteFrom("sessions").where("id_hash", "=", idHash).execute();
}

/** The part of a session's hash that identifies it to its player; it opens nothing. */
const shownHashCharacters = 16;

/** Sessions of a user that have not ended, last used first. */
export async function listSessions(services: Services, userId: number, ownHash: string | null): Promise<OwnSession[]> {
  const now = services.now();
  const rows = await services.database
    .selectFrom("sessions")
    .select(["id_hash", "device", "created_at", "last_seen_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .where("last_seen_at", ">", new Date(now.getTime() - sessionIdleMs))
    .orderBy("last_seen_at", "desc")
    .orderBy("id_hash")
    .limit(shownSessions)
    .execute();
  return rows.map((row) => ({
    id: row.id_hash.slice(0, shownHashCharacters),
    device: row.device,
    started_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    is_current: row.id_hash === ownHash,
  }));
}

/** Ends a session of a user by the id from `listSessions`. @returns false when they have no such session */
export async function endListedSession(services: Services, userId: number, id: string): Promise<boolean> {
  const result = await services.database
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where(sql<string>`left(id_hash, ${sql.lit(shownHashCharacters)})`, "=", id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Ends all sessions of a user at once, on every device. */
export async function endSessionsOf(services: Services, userId: number): Promise<void> {
  await services.database.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

/** Deletes ended sessions and expired sign-in values; for the retention job. */
export async function deleteEndedSessions(services: Services): Promise<number> {
  const now = services.now().getTime();
  const result = await services.database
    .deleteFrom("sessions")
    .where((where) =>
      where.or([where("expires_at", "<=", new Date(now)), where("last_seen_at", "<=", new Date(now - sessionIdleMs))]),
    )
    .executeTakeFirst();
  await services.database
    .deleteFrom("openid_nonces")
    .where("seen_at", "<", new Date(now - dayMs))
    .execute();
  return Number(result.numDeletedRows);
}

/**
 * The anti-forgery token of a session. It is derived from the session's token, so that it needs no storage, an attacker cannot plant one,
 * and it does not reveal the session's token.
 */
export function xsrfTokenOf(sessionToken: string): string {
  return createHmac("sha256", sessionToken).update("xsrf-token").digest("base64url");
}

/** SHA-256 of a token in hex, the key of its session's row. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
