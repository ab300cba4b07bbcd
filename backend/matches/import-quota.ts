import { sql, type Transaction } from "kysely";
import { limits } from "../../contract/limits.ts";
import { dayCounter } from "../accounts/day-counter.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { countEvent, isEventAllowed } from "../storage/event-counts.ts";
import type { Database, User } from "../storage/schema.ts";

const dayMs = 86_400_000;

/** When a player with too many imports under way should ask again, in seconds. */
const roomAfterSeconds = 30;

/** Places are counted by account, the day's imports by player, so that a new account does not reset them. */
type Importer = Pick<User, "id" | "steam_id">;

/**
 * Admits one import request of a player at a time until the transaction ends, so that two simultaneous ones cannot both take the last place.
 */
export async function lockImportsOf(userId: number, transaction: Transaction<Database>): Promise<void> {
  // One key of 64 bits: with two of 32 bits, ids would be limited to 2^31 - 1.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`imports:${userId}`}, 0))`.execute(transaction);
}

/**
 * Checks whether a player may begin an import now, before a file is received for example. It is checked again when the import is counted.
 * @throws Refusal with the sentence for the player
 */
export async function checkImportRoom(services: Services, user: Importer): Promise<void> {
  await checkPlaces(services, user.id);
  const limit = services.config.IMPORTS_PER_DAY;
  const counter = await dayCounter(services.database, "imports", user);
  const { allowed, retryAfterSeconds } = await isEventAllowed(services, counter, limit, dayMs);
  if (!allowed) throw dayUsedUp(limit, retryAfterSeconds);
}

/**
 * Counts an import of a player towards the day's limit, if a place is free. Deleted matches, and those of a deleted account, stay counted:
 * deleting frees a place but does not extend the day's limit. The caller holds `lockImportsOf`.
 * @param isAutomatic automatic imports have places of their own and do not count towards the day's limit; they have another one
 *   (`automation/look-for-matches.ts`)
 * @throws Refusal when the day's limit is reached, or every place is taken
 */
export async function countImport(
  services: Services,
  user: Importer,
  transaction: Transaction<Database>,
  isAutomatic = false,
): Promise<void> {
  await checkPlaces(services, user.id, transaction, isAutomatic);
  if (isAutomatic) return;
  const limit = services.config.IMPORTS_PER_DAY;
  const { allowed, retryAfterSeconds } = await countEvent(
    { ...services, database: transaction },
    await dayCounter(transaction, "imports", user),
    limit,
    dayMs,
  );
  if (!allowed) throw dayUsedUp(limit, retryAfterSeconds);
}

async function checkPlaces(
  services: Services,
  userId: number,
  transaction?: Transaction<Database>,
  isAutomatic = false,
): Promise<void> {
  const unfinished = await services.jobs.openOf("import", userId, { isAutomatic, transaction });
  if (unfinished < (isAutomatic ? limits.automaticImportsInQueuePerUser : limits.importsInQueuePerUser)) return;
  throw new Refusal(
    "imports_under_way",
    `You have ${unfinished} imports waiting or under way. When one of them is done, you can import the next match.`,
    { retryAfterSeconds: roomAfterSeconds },
  );
}

function dayUsedUp(limit: number, retryAfterSeconds: number): Refusal {
  return new Refusal(
    "import_limit",
    `Import limit reached. You can import ${limit} ${limit === 1 ? "match" : "matches"} a day.`,
    { retryAfterSeconds },
  );
}
