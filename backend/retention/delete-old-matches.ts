import type { ExpressionBuilder, Kysely } from "kysely";
import { deleteMatch } from "../library/delete-match.ts";
import { forgetStills } from "../matches/forget-stills.ts";
import { deleteUnusedDemo } from "../matches/unused-demo.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/schema.ts";
import { batchSize } from "./batch-size.ts";
import { daysAgo } from "./days-ago.ts";
import { keepSweepCursor, sweepCursor } from "./sweep-cursor.ts";

/** A demo is stored before its match is attached to it, which takes moments rather than a day. */
const attachDays = 1;

/**
 * Deletes what was read from demos after DEMO_DATA_DAYS: matches without clips, with their highlights and replay tracks. A match with clips
 * stays as their heading, but its track is deleted: no further clip can be made from it.
 * @returns how many matches and tracks
 */
export async function deleteOldMatches(
  services: Services,
  signal: AbortSignal,
): Promise<{ matches: number; tracks: number }> {
  const before = daysAgo(services, services.config.DEMO_DATA_DAYS);
  const matches = await deleteMatchesWithoutClips(services, before, signal);
  const tracks = await deleteTracks(services, before, signal);
  await deleteDemosWithoutMatch(services, signal);
  return { matches, tracks };
}

async function deleteMatchesWithoutClips(services: Services, before: Date, signal: AbortSignal): Promise<number> {
  const due = (database: Kysely<Database>) =>
    database.selectFrom("matches").select(["id", "user_id"]).where(isWithoutClips(before));
  for (let deleted = 0; ; ) {
    signal.throwIfAborted();
    const matches = await due(services.database).limit(batchSize).execute();
    if (matches.length === 0) return deleted;
    for (const { id, user_id: userId } of matches) {
      // A clip may have been created since the list was read.
      const isDue = async (transaction: Kysely<Database>) =>
        (await due(transaction).where("id", "=", id).executeTakeFirst()) !== undefined;
      if (await deleteMatch(services, userId, id, isDue)) deleted++;
    }
  }
}

/** Matches from before then that are no alias, are not being processed, and have no clips. */
const isWithoutClips = (before: Date) => (match: ExpressionBuilder<Database, "matches">) =>
  match.and([
    match("alias_of", "is", null),
    match("created_at", "<", before),
    match("status", "in", ["completed", "failed"]),
    match.not(match.exists(match.selectFrom("clips").select("id").whereRef("clips.match_id", "=", "matches.id"))),
    // Imported again since: the newer import is an alias of this one.
    match.not(
      match.exists(
        match
          .selectFrom("matches as again")
          .select("again.id")
          .whereRef("again.alias_of", "=", "matches.id")
          .where("again.created_at", ">=", before),
      ),
    ),
  ]);

async function deleteTracks({ database, blobs }: Services, before: Date, signal: AbortSignal): Promise<number> {
  for (let deleted = 0; ; ) {
    signal.throwIfAborted();
    const demos = await database
      .selectFrom("demos")
      .select(["sha256", "track_key", "pictures_key"])
      .where("track_key", "is not", null)
      .where(isUnneeded(before))
      .limit(batchSize)
      .execute();
    if (demos.length === 0) return deleted;
    for (const { sha256, track_key: key, pictures_key: picturesKey } of demos) {
      const stills = await database.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("demos")
          .set({ track_key: null, track_bytes: null, pictures_key: null })
          .where("sha256", "=", sha256)
          .where("track_key", "=", key)
          // It may have been imported again, or got a clip, meanwhile.
          .where(isUnneeded(before))
          .executeTakeFirst();
        return numUpdatedRows > 0n ? forgetStills(transaction, { sha256 }) : null;
      });
      if (!stills) continue;
      for (const gone of [key, picturesKey, ...stills]) if (gone) await blobs.delete(gone);
      deleted++;
    }
  }
}

/** Demos from before then without a match since, of which nothing waits to be rendered. */
const isUnneeded = (before: Date) => (demo: ExpressionBuilder<Database, "demos">) =>
  demo.and([
    demo("created_at", "<", before),
    demo.not(
      demo.exists(
        demo
          .selectFrom("matches")
          .leftJoin("matches as again", "again.alias_of", "matches.id")
          .select("matches.id")
          .whereRef("matches.demo_sha256", "=", "demos.sha256")
          .where((match) =>
            match.or([match("matches.created_at", ">=", before), match("again.created_at", ">=", before)]),
          ),
      ),
    ),
    demo.not(
      demo.exists(
        demo
          .selectFrom("clips")
          .select("id")
          .whereRef("clips.demo_sha256", "=", "demos.sha256")
          .where("queue_slot", "is not", null),
      ),
    ),
    demo.not(
      demo.exists(
        demo
          .selectFrom("clips")
          .innerJoin("clip_formats", "clip_formats.clip_id", "clips.id")
          .select("clips.id")
          .whereRef("clips.demo_sha256", "=", "demos.sha256")
          .where("clip_formats.queue_slot", "is not", null),
      ),
    ),
  ]);

/** Demos checked per hour, from where the last check ended. */
const demosAtOnce = 2000;

/** These are left by imports that died between storing the demo and attaching its match. */
async function deleteDemosWithoutMatch(services: Services, signal: AbortSignal): Promise<void> {
  const after = await sweepCursor(services, "demos");
  const demos = await services.database
    .selectFrom("demos")
    .select((demo) => [
      "sha256",
      "created_at",
      demo
        .exists(demo.selectFrom("matches").select("id").whereRef("matches.demo_sha256", "=", "demos.sha256"))
        .as("isUsed"),
    ])
    .where("sha256", ">", after)
    .orderBy("sha256")
    .limit(demosAtOnce)
    .execute();
  const before = daysAgo(services, attachDays);
  for (const { sha256, created_at, isUsed } of demos) {
    signal.throwIfAborted();
    if (!isUsed && created_at < before) await deleteUnusedDemo(services, sha256);
  }
  const isAtEnd = demos.length < demosAtOnce;
  await keepSweepCursor(services, "demos", isAtEnd ? "" : (demos.at(-1)?.sha256 ?? ""));
  // After the end of the table it continues at the beginning, so that a small table is always checked as a whole.
  if (isAtEnd && after !== "") await deleteDemosWithoutMatch(services, signal);
}
