import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Selectable, sql } from "kysely";
import { boundedLine, cleanPlayerName } from "../../contract/clean-text.ts";
import type { AccessToken, CreateToken, NewAccessToken } from "../../contract/schemas/tokens.ts";
import { textLimits } from "../../contract/text-limits.ts";
import { type TokenScope, tokenScopes, tokensPerUser } from "../../contract/token-scopes.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { isDiskFull } from "../storage/disk-full.ts";
import { keptPlan } from "../storage/kept-plan.ts";
import type { AccessTokensTable, User } from "../storage/schema.ts";
import { hashOf } from "./sessions.ts";
import { maySignIn } from "./sign-in-allow.ts";
import { userColumns } from "./user-columns.ts";

const dayMs = 24 * 3600 * 1000;

/** `last_used_at` is written at most this often: a write for every call would cost more than most calls. */
const lastUsedWriteMs = 5 * 60 * 1000;

/** Lets programs that search for leaked secrets recognise our tokens. */
export const tokenPrefix = "clutchcast_pat_";

const randomByteCount = 28;
const checksumBytes = 4;

/** How many characters of a token its player is shown, prefix included: four of them are random, and open nothing. */
const shownCharacters = tokenPrefix.length + 4;

export interface FoundToken {
  id: number;
  scopes: readonly TokenScope[];
  user: User;
}

/** A new token: the prefix, then 28 random bytes and their CRC-32 in base64url. The checksum detects mistyped tokens without a query. */
function newToken(): string {
  const random = randomBytes(randomByteCount);
  return tokenPrefix + Buffer.concat([random, checksumOf(random)]).toString("base64url");
}

/** Whether a text has the form of our tokens and a correct checksum. */
function isTokenText(text: string): boolean {
  if (!text.startsWith(tokenPrefix)) return false;
  const secret = text.slice(tokenPrefix.length);
  if (!/^[A-Za-z0-9_-]{43}$/.test(secret)) return false;
  const bytes = Buffer.from(secret, "base64url");
  // Two bits of the last character belong to no byte: only one spelling of a token is accepted.
  if (bytes.toString("base64url") !== secret) return false;
  return checksumOf(bytes.subarray(0, randomByteCount)).equals(bytes.subarray(randomByteCount));
}

function checksumOf(bytes: Buffer): Buffer {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum;
}

/**
 * Creates a token for a player. Only its SHA-256 is stored, so this is the only time it can be read.
 * @throws Refusal when the name is empty, or the player has the maximum number of tokens
 */
export async function createToken(
  services: Services,
  userId: number,
  { name, scopes, expires_in_days: days }: CreateToken,
): Promise<NewAccessToken> {
  const shownName = boundedLine(name, textLimits.tokenName);
  if (!shownName) throw Refusal.ofField("name", "Give the token a name, so that you know later what uses it.");
  const token = newToken();
  const now = services.now();
  const row = await services.database.transaction().execute(async (transaction) => {
    // Locked, so that two requests cannot both create the last one.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tokens:${userId}`}, 0))`.execute(transaction);
    // Ended tokens do not count towards the maximum.
    await transaction
      .deleteFrom("access_tokens")
      .where("user_id", "=", userId)
      .where("expires_at", "<=", now)
      .execute();
    const { count } = await transaction
      .selectFrom("access_tokens")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    if (count >= tokensPerUser) {
      throw new Refusal("token_limit", `You have ${tokensPerUser} tokens, as many as you can. Revoke one first.`);
    }
    return transaction
      .insertInto("access_tokens")
      .values({
        user_id: userId,
        name: shownName,
        token_hash: hashOf(token),
        first_characters: token.slice(0, shownCharacters),
        scopes: tokenScopes.filter((scope) => scopes.includes(scope)).join(" "),
        created_at: now,
        expires_at: days === null ? null : new Date(now.getTime() + days * dayMs),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  services.log.info({ user: userId, accessToken: row.id, scopes: row.scopes }, "access token made");
  return { ...presented(row), token };
}

/** A player's tokens that have not ended, newest first. */
export async function listTokens(services: Services, userId: number): Promise<AccessToken[]> {
  const rows = await services.database
    .selectFrom("access_tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .where((of) => of.or([of("expires_at", "is", null), of("expires_at", ">", services.now())]))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(presented);
}

/** Ends a token at once. @returns false when the player has no such token */
export async function revokeToken(services: Services, userId: number, id: number): Promise<boolean> {
  const result = await services.database
    .deleteFrom("access_tokens")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (result.numDeletedRows > 0n) services.log.info({ user: userId, accessToken: id }, "access token revoked");
  return result.numDeletedRows > 0n;
}

/** Ends all tokens of a player at once. @returns how many had not ended before */
export async function revokeTokensOf(services: Services, userId: number): Promise<number> {
  const revoked = await services.database
    .deleteFrom("access_tokens")
    .where("user_id", "=", userId)
    .returning("expires_at")
    .execute();
  const now = services.now();
  const good = revoked.filter(({ expires_at: end }) => end === null || end > now).length;
  if (good > 0) services.log.info({ user: userId, accessTokens: good }, "access tokens revoked");
  return good;
}

/** The token of a text with its user; null for one that was never issued, has ended, was revoked, or whose player may no longer sign in. */
export async function findToken(services: Services, text: string): Promise<FoundToken | null> {
  if (!isTokenText(text)) return null;
  const row = await services.database
    .selectFrom("access_tokens")
    .innerJoin("users", "users.id", "access_tokens.user_id")
    .modifyFront(keptPlan)
    .select(userColumns)
    .select(["access_tokens.id as token_id", "scopes", "last_used_at", "expires_at"])
    .where("token_hash", "=", hashOf(text))
    .executeTakeFirst();
  if (!row || !maySignIn(services.config, row.steam_id)) return null;
  const { token_id: id, scopes, last_used_at: lastUsed, expires_at: expires, ...stored } = row;
  const now = services.now();
  if (expires && now >= expires) return null;
  if (!lastUsed || now.getTime() - lastUsed.getTime() >= lastUsedWriteMs) await rememberUse(services, id, now);
  const user = { ...stored, steam_name: cleanPlayerName(stored.steam_name) || stored.steam_id };
  return { id, scopes: scopesOf(scopes), user };
}

async function rememberUse(services: Services, id: number, now: Date): Promise<void> {
  await services.database
    .updateTable("access_tokens")
    .set({ last_used_at: now })
    .where("id", "=", id)
    .execute()
    .catch((error: unknown) => {
      // Reading must work on a full disk.
      if (!isDiskFull(error)) throw error;
    });
}

/** Deletes expired tokens; for the retention job. */
export async function deleteEndedTokens({ database, now }: Services): Promise<void> {
  await database.deleteFrom("access_tokens").where("expires_at", "<=", now()).execute();
}

const scopesOf = (stored: string) => tokenScopes.filter((scope) => stored.split(" ").includes(scope));

function presented(row: Selectable<AccessTokensTable>): AccessToken {
  return {
    id: row.id,
    name: row.name,
    first_characters: row.first_characters,
    scopes: scopesOf(row.scopes),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
