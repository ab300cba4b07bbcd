import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Transaction } from "kysely";
import { detectorVersion } from "../highlights/detector-version.ts";
import type { Highlight } from "../highlights/highlight.ts";
import type { Services } from "../services.ts";
import { withNamedBlobs } from "../storage/named-blobs.ts";
import type { Database, DemoRow } from "../storage/schema.ts";
import { demoFacts, type ReadRecord } from "./demo-facts.ts";
import { noPictures } from "./no-pictures.ts";
import { lockClipsOf, replaceHighlights } from "./replace-highlights.ts";
import { hasSamePlayers } from "./stored-players.ts";

/** A demo after parsing, with its files still in the scratch folder. */
export interface ParsedDemoFiles {
  sha256: string;
  record: ReadRecord;
  highlights: readonly Highlight[];
  trackPath: string;
  /** When the provider says it was played, else about when the host says its file was made. */
  playedAt: Date | null;
  /** The demo as it came, to be kept for DEMO_FILE_DAYS: a file to move, or a blob already stored. */
  raw: { path: string; bytes: number } | { key: string; bytes: number } | null;
}

/** Whether a demo's replay track is here already, and its highlights by the rules that hold now. */
export async function isDemoStored(services: Services, sha256: string): Promise<boolean> {
  const demo = await services.database
    .selectFrom("demos")
    .select("track_key")
    .where("sha256", "=", sha256)
    .where("detector_version", ">=", detectorVersion)
    .executeTakeFirst();
  return Boolean(demo?.track_key);
}

/**
 * Stores a parsed demo: its files first, then its rows in one transaction, so that rows never name a file that is not there.
 * A demo that somebody stored meanwhile stays as it is; one whose track was deleted by retention gets it back, and one whose
 * highlights were found by older rules gets those of now (decision 077), unless its players are told apart in another way.
 * @throws BlobStoreFullError when the disk is full
 */
export async function storeDemo(services: Services, demo: ParsedDemoFiles): Promise<void> {
  const { blobs, database, config } = services;
  // The names are new each time: deleting an unused demo's files can then never hit those of its next import.
  const folder = `demos/${demo.sha256.slice(0, 16)}`;
  const token = randomBytes(4).toString("hex");
  const trackKey = `${folder}/track-${token}.bin`;
  const written = [trackKey];
  const { size: trackBytes } = await stat(demo.trackPath);
  await withNamedBlobs(services, written, async () => {
    await blobs.putFile(trackKey, demo.trackPath, "application/octet-stream");
    let fileKey: string | null = null;
    if (demo.raw && config.DEMO_FILE_DAYS > 0) {
      if ("key" in demo.raw) fileKey = demo.raw.key;
      else {
        fileKey = `${folder}/demo-${token}.bin`;
        written.push(fileKey);
        await blobs.putFile(fileKey, demo.raw.path, "application/octet-stream");
      }
    }
    const files: DemoFiles = {
      track: { track_key: trackKey, track_bytes: trackBytes },
      raw: { file_key: fileKey, file_bytes: fileKey ? (demo.raw?.bytes ?? null) : null },
    };
    await database.transaction().execute(async (transaction) => {
      await lockClipsOf(transaction, demo.sha256);
      const facts = rowOf(demo.record);
      if (await insertDemo(transaction, demo, facts, files, services.now())) {
        await replaceHighlights(transaction, demo.sha256, demo.highlights);
      } else await refreshDemo(transaction, demo, facts, files);
    });
  });
}

/** Columns of a demo's stored files. */
interface DemoFiles {
  track: Pick<DemoRow, "track_key" | "track_bytes">;
  raw: Pick<DemoRow, "file_key" | "file_bytes">;
}

/** The columns that are read from the demo itself. */
function rowOf(record: ReadRecord) {
  const { timing, players, teams, ...texts } = demoFacts(record);
  return {
    ...texts,
    timing: JSON.stringify(timing),
    players: JSON.stringify(players),
    teams: JSON.stringify(teams),
    detector_version: detectorVersion,
  };
}

/** @returns false when somebody has stored the demo before */
async function insertDemo(
  transaction: Transaction<Database>,
  { sha256, playedAt }: ParsedDemoFiles,
  facts: ReturnType<typeof rowOf>,
  { track, raw }: DemoFiles,
  now: Date,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto("demos")
    .values({ ...facts, ...raw, ...track, sha256, played_at: playedAt, created_at: now })
    .onConflict((conflict) => conflict.column("sha256").doNothing())
    .returning("sha256")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Gives a stored demo what it lacks: its track, or highlights by the rules that hold now. */
async function refreshDemo(
  transaction: Transaction<Database>,
  { sha256, record, highlights }: ParsedDemoFiles,
  facts: ReturnType<typeof rowOf>,
  { track, raw }: DemoFiles,
): Promise<void> {
  const before = await transaction
    .selectFrom("demos")
    .select(["track_key", "file_key", "detector_version", "players"])
    .where("sha256", "=", sha256)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const isDetectedAnew = before.detector_version < detectorVersion && hasSamePlayers(before.players, record.players);
  if (before.track_key && !isDetectedAnew) return;
  await transaction
    .updateTable("demos")
    .set({ ...track, ...noPictures, ...(before.file_key ? {} : raw), ...(isDetectedAnew ? facts : {}) })
    .where("sha256", "=", sha256)
    .execute();
  // After its demo, whose map a highlight has.
  if (isDetectedAnew) await replaceHighlights(transaction, sha256, highlights);
  // A track that was replaced goes with the sweep of what nobody names: a render may have it in hand.
}
