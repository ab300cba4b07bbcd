import type { Transaction } from "kysely";
import type { Services } from "../../services.ts";
import type { Database, DemoRow, HighlightRow, User } from "../../storage/schema.ts";
import { againAfterHours } from "./match-pictures.ts";

/** Blob key of the still of a custom moment. */
export function momentStillKey(sha256: string, highlightId: number, version: string): string {
  return `demos/${sha256}/still-${highlightId}-${version}.webp`;
}

/** Jobs of one player at once, so that marking and removing moments without end fills no queue. */
const mostJobs = 4;

/**
 * Sends a job for the missing stills of custom moments of a demo, which counts as work for the player who asks.
 * @returns false when that player has as many such jobs as allowed
 */
export async function sendStillsJob(
  { jobs }: Pick<Services, "jobs">,
  { sha256, ownerId }: { sha256: string; ownerId: number },
  transaction: Transaction<Database>,
): Promise<boolean> {
  if ((await jobs.openOf("pictures", ownerId, { transaction })) >= mostJobs) return false;
  await jobs.send("pictures", { sha256, ofMoments: true }, { ownerId, transaction });
  return true;
}

/**
 * Requests missing stills at most once in a while: they could not be drawn, or the moments are older than such stills. Called when a player
 * opens the match.
 */
export async function requestStills(
  services: Services,
  user: Pick<User, "id">,
  demo: Pick<DemoRow, "sha256" | "track_key">,
  highlights: readonly Pick<HighlightRow, "id" | "type" | "still_key" | "still_tried_at">[],
): Promise<void> {
  if (!demo.track_key) return;
  const at = services.now();
  const before = new Date(at.getTime() - againAfterHours * 3600_000);
  const due = highlights.filter(
    ({ type, still_key: key, still_tried_at: triedAt }) =>
      type === "custom" && key === null && (triedAt === null || triedAt <= before),
  );
  if (due.length === 0) return;
  await services.database.transaction().execute(async (transaction) => {
    const tried = await transaction
      .updateTable("highlights")
      .set({ still_tried_at: at })
      .where(
        "id",
        "in",
        due.map(({ id }) => id),
      )
      .where("still_key", "is", null)
      .where((row) => row.or([row("still_tried_at", "is", null), row("still_tried_at", "<=", before)]))
      .returning("id")
      .execute();
    if (tried.length === 0) return;
    if (await sendStillsJob(services, { sha256: demo.sha256, ownerId: user.id }, transaction)) return;
    const ids = tried.map(({ id }) => id);
    await transaction.updateTable("highlights").set({ still_tried_at: null }).where("id", "in", ids).execute();
  });
}

/** Writes the key of a still to its moment, unless that is gone or has one, or the match's replay data is deleted. */
export function keepStill(
  { database }: Services,
  { sha256, highlightId, key }: { sha256: string; highlightId: number; key: string },
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    // Locked, so that whoever deletes the replay data also deletes this still. Not locked against writers of rows that refer to the demo: one of
    // them may hold the moment, and the two would wait for each other.
    const demo = await transaction
      .selectFrom("demos")
      .select("sha256")
      .where("sha256", "=", sha256)
      .where("track_key", "is not", null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!demo) return;
    await transaction
      .updateTable("highlights")
      .set({ still_key: key })
      .where("id", "=", highlightId)
      .where("is_listed", "=", true)
      .where("still_key", "is", null)
      .execute();
  });
}
