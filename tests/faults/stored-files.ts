import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { mapFootprintsKey } from "../../backend/maps/map-files.ts";
import { askRunningServer } from "../../backend/operator/operator-socket.ts";
import type { Judge } from "./judgement.ts";
import { withStoredData } from "./staged-product.ts";

const twoDaysMs = 2 * 24 * 3600_000;

/** Sweeps as retention does, with every file looking as if it were older than the day for which files without a row are kept. */
export async function sweepOrphans(dataDirectory: string): Promise<void> {
  const blobs = join(dataDirectory, "blobs");
  const then = new Date(Date.now() - twoDaysMs);
  for (const entry of readdirSync(blobs, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && existsSync(path)) utimesSync(path, then, then);
  }
  await askRunningServer(dataDirectory, ["retention"]);
}

/** Compares, while the product does not run, the files that are stored with the rows that name them. */
export async function compareStoredFiles(dataDirectory: string, judge: Judge): Promise<void> {
  await withStoredData(dataDirectory, async ({ database, blobs }) => {
    const { rows } = await sql<{ key: string }>`
      SELECT track_key AS key FROM demos WHERE track_key IS NOT NULL
      UNION SELECT file_key FROM demos WHERE file_key IS NOT NULL
      UNION SELECT pictures_key FROM demos WHERE pictures_key IS NOT NULL
      UNION SELECT still_key FROM highlights WHERE still_key IS NOT NULL
      UNION SELECT upload_key FROM matches WHERE upload_key IS NOT NULL
      UNION SELECT video_key FROM clips WHERE video_key IS NOT NULL
      UNION SELECT poster_key FROM clips WHERE poster_key IS NOT NULL
      UNION SELECT thumbnail_key FROM clips WHERE thumbnail_key IS NOT NULL
      UNION SELECT wide_poster_key FROM clips WHERE wide_poster_key IS NOT NULL
      UNION SELECT share_key FROM clips WHERE share_key IS NOT NULL
      UNION SELECT loop_key FROM clips WHERE loop_key IS NOT NULL
      UNION SELECT video_key FROM clip_formats WHERE video_key IS NOT NULL
      UNION SELECT poster_key FROM clip_formats WHERE poster_key IS NOT NULL`.execute(database);
    const maps = await sql<{ hash: string }>`
      SELECT hash FROM map_footprints WHERE hash IS NOT NULL
      UNION SELECT map_hash FROM clips WHERE map_hash IS NOT NULL`.execute(database);
    const named = new Set([...rows.map(({ key }) => key), ...maps.rows.map(({ hash }) => mapFootprintsKey(hash))]);
    for (const prefix of ["clips/", "demos/", "maps/", "uploads/", "probes/"]) {
      for await (const key of blobs.list(prefix))
        judge.check(named.delete(key), `${key} is stored, and no row names it`);
    }
    for (const key of named) judge.check(false, `${key} is named by a row, and not stored`);
  });
}
