import type { Transaction } from "kysely";
import type { Services } from "../services.ts";
import type { Database, DemoRow, HighlightRow } from "../storage/schema.ts";
import { againAfterHours } from "./match-pictures.ts";

/** Blob key of the still of a moment that was marked by hand. */
export function momentStillKey(sha256: string, highlightId: number, version: string): string {
  return `demos/${sha256}/still-${highlightId}-${version}.webp`;
}

/** Has the stills drawn of those moments of a demo that were marked by hand and have none. */
export async function sendStillsJob(
  { jobs }: Pick<Services, "jobs">,
  sha256: string,
  transaction: Transaction<Database>,
): Promise<void> {
  await jobs.send("pictures", { sha256, ofMoments: true }, { ownerId: null, transaction });
}

/**
 * Asks for stills that are missing, once in a while: they could not be drawn, or their moments are older than such stills. Their match is
 * looked at by one of its players.
 */
export async function requestStills(
  services: Services,
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
    const { numUpdatedRows } = await transaction
      .updateTable("highlights")
      .set({ still_tried_at: at })
      .where(
        "id",
        "in",
        due.map(({ id }) => id),
      )
      .where("still_key", "is", null)
      .where((row) => row.or([row("still_tried_at", "is", null), row("still_tried_at", "<=", before)]))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await sendStillsJob(services, demo.sha256, transaction);
  });
}

/**
 * Names the still of a moment, unless that is gone by now, has one, or its match is no longer to be drawn.
 * @returns false when nothing names the file
 */
export function keepStill(
  { database }: Services,
  { sha256, highlightId, key }: { sha256: string; highlightId: number; key: string },
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    // Held, so that what takes the replay data away takes this along.
    const demo = await transaction
      .selectFrom("demos")
      .select("sha256")
      .where("sha256", "=", sha256)
      .where("track_key", "is not", null)
      .forUpdate()
      .executeTakeFirst();
    if (!demo) return false;
    const { numUpdatedRows } = await transaction
      .updateTable("highlights")
      .set({ still_key: key })
      .where("id", "=", highlightId)
      .where("is_listed", "=", true)
      .where("still_key", "is", null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}
