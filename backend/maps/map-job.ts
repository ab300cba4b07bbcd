import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { clipFormats } from "../../contract/clip-formats.ts";
import type { JobContext } from "../jobs/job-queue.ts";
import { runSpareWork } from "../jobs/spare-work.ts";
import type { Services } from "../services.ts";
import { BlobMissingError } from "../storage/blob-store.ts";
import { type FrameSize, keepRelief, keptRelief, mapReliefName } from "../video/kept-reliefs.ts";
import { fewestMatches, mapFootprintsKey } from "./map-files.ts";
import { startMapDrawing, startMerge } from "./start-map.ts";

/** Matches whose walks are merged: the newest, importers by turns. */
const mostMatches = 40;
/** How soon a map's matches are looked at again: some came since, and some were deleted. */
const againAfterMs = 6 * 3600_000;
/** Sent at a time: what a new version finds is not all merged at once. */
const mapsAtOnce = 5;
const dayMs = 24 * 3600_000;

/** Sends a job for some of the maps whose matches were not looked at for hours, new maps first. */
export async function sendDueMapJobs(services: Services): Promise<void> {
  for (const map of await dueMaps(services)) await sendMapJob(services, map);
}

/** Has a map merged, if that is due, and its reliefs drawn that are not kept. */
export async function sendMapJob({ jobs }: Services, map: string): Promise<void> {
  if (!(await jobs.isOpen("map", { map }))) await jobs.send("map", { map }, { ownerId: null });
}

/** Steps from map to map along the index, for there are many demos and few maps. */
async function dueMaps({ database, now }: Services): Promise<string[]> {
  const at = now();
  const { rows } = await sql<{ map: string }>`
    WITH RECURSIVE walked AS (
      (SELECT map FROM demos WHERE track_key IS NOT NULL ORDER BY map LIMIT 1)
      UNION ALL
      SELECT (SELECT map FROM demos WHERE track_key IS NOT NULL AND map > walked.map ORDER BY map LIMIT 1)
      FROM walked WHERE walked.map IS NOT NULL
    )
    SELECT walked.map FROM walked LEFT JOIN LATERAL (
      SELECT max(made_at) AS made_at FROM map_footprints WHERE map = walked.map AND made_at <= ${at}
    ) AS last ON true
    WHERE walked.map IS NOT NULL
      AND EXISTS (SELECT 1 FROM demos WHERE map = walked.map AND track_key IS NOT NULL OFFSET ${fewestMatches - 1})
      AND (last.made_at IS NULL OR last.made_at < ${earlier(at)})
    ORDER BY last.made_at NULLS FIRST, walked.map LIMIT ${mapsAtOnce}
  `.execute(database);
  return rows.map(({ map }) => map);
}

const earlier = (at: Date) => new Date(at.getTime() - againAfterMs);

/** The newest file of a map. Those of a clock that went ahead are none. */
async function lastMade({ database, now }: Services, map: string) {
  return database
    .selectFrom("map_footprints")
    .selectAll()
    .where("map", "=", map)
    .where("made_at", "<=", now())
    .orderBy("valid_from", "desc")
    .limit(1)
    .executeTakeFirst();
}

interface Source {
  track_key: string;
  importer: number;
}

/**
 * The job `map`: merges the walks of a map's matches into a file that clips are drawn on from the next day on, the first one at
 * once, so that clips of a day look alike. It is made of the matches that are there, always of all of them: run twice, killed in
 * between or run after a match was imported again it gives the same. Then draws what is to be drawn on. Decision 123.
 */
export async function runMapJob(services: Services, { map }: { map: string }, context: JobContext): Promise<void> {
  const footprints = { name: "map", what: "the footprints of a map" };
  await runSpareWork(services, context, footprints, async ({ folder, signal }) => {
    await mergeMatches(services, map, folder, { ...context, signal });
    await drawReliefs(services, map, folder, signal);
  });
}

async function mergeMatches(
  services: Services,
  map: string,
  folder: string,
  { signal, isLastAttempt }: JobContext,
): Promise<void> {
  const { database, log } = services;
  const at = services.now();
  const last = await lastMade(services, map);
  if (last && last.made_at > earlier(at)) return;
  const matches = await sourcesOf(services, map);
  const sources = hashOf(JSON.stringify(matches));
  const isSame = last?.sources === sources || matches.length < fewestMatches;
  let merged: MergedFile | null = null;
  let isUnmade = false;
  try {
    if (!isSame) merged = await mergedFile(services, matches, folder, signal);
  } catch (error) {
    if (!isLastAttempt || signal.aborted) throw error;
    log.error({ err: error, map }, "footprints of a map not merged");
    isUnmade = true;
  }
  await database.transaction().execute(async (transaction) => {
    const ofMap = transaction.updateTable("map_footprints").set({ made_at: at }).where("map", "=", map);
    // What could not be made is tried again some hours later; what is in force stays so.
    if (last && (isSame || isUnmade)) await ofMap.where("valid_from", "=", last.valid_from).execute();
    else if (!isSame) {
      const file = {
        hash: merged?.hash ?? null,
        matches: merged?.matches ?? 0,
        made_at: at,
        sources: isUnmade ? unmade : sources,
      };
      const validFrom = last?.hash ? nextMidnight(services.now()) : at;
      await transaction
        .deleteFrom("map_footprints")
        .where("map", "=", map)
        .where("made_at", ">", services.now())
        .execute();
      await transaction
        .insertInto("map_footprints")
        .values({ map, valid_from: validFrom, ...file })
        .onConflict((conflict) => conflict.columns(["map", "valid_from"]).doUpdateSet(file))
        .execute();
    }
  });
}

const nextMidnight = (at: Date) => new Date((Math.floor(at.getTime() / dayMs) + 1) * dayMs);

function hashOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

/** In place of the hash of matches that are to be tried again. */
const unmade = "0".repeat(32);

interface MergedFile {
  hash: string;
  matches: number;
}

async function mergedFile(
  services: Services,
  matches: readonly Source[],
  folder: string,
  signal: AbortSignal,
): Promise<MergedFile | null> {
  const { blobs, containment } = services;
  const opened: { trackPath: string; importer: number; release(): Promise<void> }[] = [];
  try {
    for (const { track_key: key, importer } of matches) {
      signal.throwIfAborted();
      try {
        const { path, release } = await blobs.openLocal(key);
        opened.push({ trackPath: path, importer, release });
      } catch (error) {
        // Deleted since.
        if (!(error instanceof BlobMissingError)) throw error;
      }
    }
    const sources = opened.map(({ trackPath, importer }) => ({ trackPath, importer }));
    const made = await startMerge({ sources, outputDirectory: folder }, { signal, containment });
    if (!made) return null;
    const hash = hashOf(await readFile(made.path));
    await blobs.putFile(mapFootprintsKey(hash), made.path, "application/octet-stream");
    return { hash, matches: made.matches };
  } finally {
    for (const { release } of opened) await release();
  }
}

/** The newest match of every importer, then the second newest of each, and so on. A demo is of whoever imported it first. */
async function sourcesOf({ database }: Services, map: string): Promise<Source[]> {
  const { rows } = await sql<Source>`
    SELECT track_key, importer FROM (
      SELECT track_key, importer, created_at, sha256,
        row_number() OVER (PARTITION BY importer ORDER BY created_at DESC, sha256) AS turn
      FROM (
        SELECT DISTINCT ON (demos.sha256) demos.sha256, demos.track_key, demos.created_at, matches.user_id AS importer
        FROM demos JOIN matches ON matches.demo_sha256 = demos.sha256
        WHERE demos.map = ${map} AND demos.track_key IS NOT NULL
        ORDER BY demos.sha256, matches.created_at, matches.id
      ) AS imported
    ) AS numbered
    ORDER BY turn, created_at DESC, sha256 LIMIT ${mostMatches}
  `.execute(database);
  return rows;
}

/**
 * Draws the map, as it is in force and as it will be, in all formats: clips load it. Without it they draw it themselves, and do
 * not keep it.
 */
async function drawReliefs(services: Services, map: string, folder: string, signal: AbortSignal): Promise<void> {
  const { database, blobs, containment, log } = services;
  const now = services.now();
  const newest = await database
    .selectFrom("map_footprints")
    .select(["hash", "valid_from"])
    .where("map", "=", map)
    .orderBy("valid_from", "desc")
    .limit(2)
    .execute();
  // Of two the second is in force only while the first is not.
  const drawn = newest[0] && newest[0].valid_from <= now ? newest.slice(0, 1) : newest;
  try {
    for (const hash of new Set(drawn.flatMap((row) => row.hash ?? []))) {
      const missing: FrameSize[] = [];
      for (const frame of Object.values(clipFormats)) {
        if (!(await keptRelief(services, mapReliefName(hash, frame)))) missing.push(frame);
      }
      if (missing.length === 0) continue;
      const footprints = await blobs.openLocal(mapFootprintsKey(hash));
      try {
        const drawing = { footprintsPath: footprints.path, map, frames: missing, outputDirectory: folder };
        const paths = await startMapDrawing(drawing, { signal, containment });
        for (const [i, frame] of missing.entries()) {
          await keepRelief(services, mapReliefName(hash, frame), paths[i] ?? "");
        }
      } finally {
        await footprints.release();
      }
    }
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn({ err: error, map }, "the relief of a map was not drawn beforehand");
  }
}
