import { type Kysely, sql } from "kysely";
import { bytesText } from "../../contract/bytes-text.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { userTotals } from "../storage/counts.ts";
import type { Database } from "../storage/schema.ts";
import { lockPlayer } from "./lock-player.ts";

/** How many bytes a user's files take, and may take. */
export interface DiskUse {
  usedBytes: number;
  quotaBytes: number;
}

type Asked = Pick<Services, "config" | "database">;

/** Automatic work counts everything that waits as stored; requests of the player do not count automatic clips that wait. */
export interface DiskAsker {
  isAutomatic?: boolean | undefined;
}

/**
 * Videos that wait or are being rendered count with their expected size. Requests of the player do not count automatic clips that
 * wait: those look for room again when their turn comes (`startIfRoom`, decision 163).
 * @returns null where no USER_DISK_BYTES is set
 */
export async function diskUse(
  { config, database }: Asked,
  userId: number,
  asker: DiskAsker = {},
): Promise<DiskUse | null> {
  const { USER_DISK_BYTES: quotaBytes } = config;
  if (!quotaBytes) return null;
  const { bytes } = await userTotals(database, userId);
  return { usedBytes: Math.max(0, bytes) + (await expectedBytes(database, userId, asker)), quotaBytes };
}

/** At most five videos wait or are rendered for a player; the index of their places in the queue finds them. */
async function expectedBytes(
  database: Kysely<Database>,
  userId: number,
  { isAutomatic = false }: DiskAsker,
): Promise<number> {
  const { rows } = await sql<{ bytes: string | number }>`
    SELECT (
      SELECT coalesce(sum(expected_bytes), 0) FROM clips
      WHERE user_id = ${userId} AND queue_slot IS NOT NULL AND (${isAutomatic} OR NOT made_for_you OR status <> 'queued')
    ) + (
      SELECT coalesce(sum(expected_bytes), 0) FROM clip_formats WHERE user_id = ${userId} AND queue_slot IS NOT NULL
    ) AS bytes
  `.execute(database);
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Holds a user to USER_DISK_BYTES before something of theirs is stored. Within a transaction the user's row is locked until it ends, so
 * that two requests cannot both take the last room.
 * @param asked with the transaction as its database
 * @param wantedBytes size of what is to be stored, as far as it is known
 * @throws Refusal with what is used and the way out
 */
export async function requireDiskRoom(
  asked: Asked,
  userId: number,
  wantedBytes: number,
  asker: DiskAsker = {},
): Promise<void> {
  if (!asked.config.USER_DISK_BYTES) return;
  const { database } = asked;
  if (database.isTransaction) await lockPlayer(database, userId);
  const use = await diskUse(asked, userId, asker);
  if (!use || (use.usedBytes < use.quotaBytes && use.usedBytes + wantedBytes <= use.quotaBytes)) return;
  const { usedBytes, quotaBytes } = use;
  const full = usedBytes >= quotaBytes;
  const what = full ? "Your storage is full" : `This takes about ${bytesText(wantedBytes)}, for which you have no room`;
  throw new Refusal(
    "disk_quota",
    `${what}: ${bytesText(usedBytes)} of ${bytesText(quotaBytes)} are used. Delete clips on My Clips, or matches, to make room.`,
  );
}
