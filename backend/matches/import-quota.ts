import { sql, type Transaction } from "kysely";
import { limits } from "../../contract/limits.ts";
import { dayCounter } from "../accounts/day-counter.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { countEvent, isEventAllowed } from "../storage/event-counts.ts";
import type { Database, User } from "../storage/schema.ts";

const dayMs = 86_400_000;

/** How soon a player who has too many imports under way may find room, in seconds. */
const roomAfterSeconds = 30;

/** Whose imports are counted: places by the account, the day by the player, whatever account they have. */
type Importer = Pick<User, "id" | "steam_id">;

/**
 * Lets one import request of a player at a time go on, until the transaction ends: two at once find each other's rows, and
 * cannot both take the last place.
 */
export async function lockImportsOf(userId: number, transaction: Transaction<Database>): Promise<void> {
  // One key of 64 bits: as the second of two of 32, ids would end at 2^31 - 1.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`imports:${userId}`}, 0))`.execute(transaction);
}

/**
 * Whether a player may begin an import now: to be asked before the work of a request, say before a file is received. The
 * import itself is checked again when it is counted.
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
 * Counts an import of a player towards the day's limit, when there is a place for it. Deleted matches stay counted, and
 * with them those of a deleted account, so deleting makes no room in the day, only among the places. The caller holds `lockImportsOf`.
 * @param isAutomatic nobody pressed for it: it takes none of the places of those, and has its own; nor is it counted among the
 *   day's, for who looks begins half as many at most (`automation/look-for-matches.ts`)
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
