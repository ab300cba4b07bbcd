import { readFile, writeFile } from "node:fs/promises";
import { clipFormats } from "../../../contract/clip-formats.ts";
import { limits } from "../../../contract/limits.ts";
import type { JobContext, JobPayloads } from "../../jobs/job-queue.ts";
import { runSpareWork } from "../../jobs/spare-work.ts";
import { mapInForce } from "../../maps/map-files.ts";
import { openClipMap } from "../../maps/open-clip-map.ts";
import type { Services } from "../../services.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";
import { withNamedBlobs } from "../../storage/named-blobs.ts";
import type { DemoRow } from "../../storage/schema.ts";
import type { StillMoment } from "../../video/match-pictures.ts";
import { picturePlaces } from "../../video/picture-file.ts";
import { startPictures } from "../../video/start-pictures.ts";
import { decisiveTick, stillName } from "../match-replay/match-pictures.ts";
import { keepStill, momentStillKey } from "../match-replay/moment-stills.ts";
import { keptReliefs, reliefNames } from "./clip-reliefs.ts";

/** Previews of all formats are drawn on the ground of this one: it is as fine as any of them needs on a page. */
const frame = clipFormats["720p"];

/**
 * The job `pictures`: draws the stills of a match's highlights and packs its ground for browsers, all in one file. Of moments that players
 * marked by hand it draws the stills that are missing, each a file of its own, since they come and go one by one. Idempotent: a second run
 * finds what is there. Whatever becomes of it, the match stays as it is, and cards show a placeholder.
 */
export async function runPicturesJob(
  services: Services,
  { sha256, ofMoments }: JobPayloads["pictures"],
  context: JobContext,
): Promise<void> {
  const demo = await services.database
    .selectFrom("demos")
    .select(["sha256", "track_key", "map", "pictures_key"])
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  if (!demo?.track_key) return;
  const drawn = { ...demo, track_key: demo.track_key };
  if (ofMoments) await drawMomentStills(services, drawn, context);
  else if (!demo.pictures_key) await drawPictures(services, drawn, context);
}

type DrawnDemo = Pick<DemoRow, "sha256" | "map"> & { track_key: string };

async function drawPictures(services: Services, demo: DrawnDemo, context: JobContext): Promise<void> {
  const { blobs } = services;
  const { sha256, track_key: trackKey } = demo;
  const moments = await momentsOf(services, sha256);
  await withPictures(services, demo, { moments, withGround: true }, context, async (made, version) => {
    const key = `demos/${sha256}/pictures-${version}.bin`;
    await withNamedBlobs(services, [key], async () => {
      await blobs.putFile(key, made.path, "application/octet-stream");
      const stored = await blobs.stat(key);
      if (stored?.bytes !== made.bytes) throw new Error("The stored pictures are not those that were made.");
      await keepPictures(services, sha256, trackKey, key);
    });
  });
}

async function drawMomentStills(services: Services, demo: DrawnDemo, context: JobContext): Promise<void> {
  const { blobs, database } = services;
  const { sha256 } = demo;
  const rows = await database
    .selectFrom("highlights")
    .select(["id", "type", "player", "round", "moments", "start_tick", "end_tick"])
    .where("demo_sha256", "=", sha256)
    .where("type", "=", "custom")
    .where("is_listed", "=", true)
    .where("still_key", "is", null)
    .orderBy("id")
    .execute();
  if (rows.length === 0) return;
  const moments = [...new Map(rows.map((row) => [stillName(row), stillMoment(row)])).values()];
  await withPictures(services, demo, { moments, withGround: false }, context, async (made, version) => {
    const file = await readFile(made.path);
    const places = picturePlaces(file, file.length);
    if (typeof places === "number") throw new Error("The head of the stills is cut off.");
    for (const row of rows) {
      const place = places.get(stillName(row));
      // Of a moment that the track does not hold there is none.
      if (!place) continue;
      const path = `${made.path}.${row.id}`;
      await writeFile(path, file.subarray(place.at, place.at + place.bytes));
      const key = momentStillKey(sha256, row.id, version);
      await withNamedBlobs(services, [key], async () => {
        await blobs.putFile(key, path, "image/webp");
        await keepStill(services, { sha256, highlightId: row.id, key });
      });
    }
  });
}

/**
 * Draws pictures of a demo and hands their file to `keep`, with a version for its key.
 * @throws PostponeJob while the disk has no room or the store is away
 */
async function withPictures(
  services: Services,
  demo: DrawnDemo,
  wanted: { moments: readonly StillMoment[]; withGround: boolean },
  context: JobContext,
  keep: (made: { path: string; bytes: number }, version: string) => Promise<void>,
): Promise<void> {
  const { blobs, containment } = services;
  await runSpareWork(services, context, { name: "pictures", what: "pictures" }, async ({ folder, version, signal }) => {
    const mapHash = await mapInForce(services, demo.map);
    let map: Awaited<ReturnType<typeof openClipMap>> = null;
    let track: Awaited<ReturnType<typeof blobs.openLocal>> | undefined;
    try {
      track = await blobs.openLocal(demo.track_key);
      map = await openClipMap(services, { map_hash: mapHash });
      const made = await startPictures(
        {
          ...wanted,
          trackPath: track.path,
          mapFootprintsPath: map?.path,
          // As a rule the one that the job `relief` has just left.
          reliefPaths: await keptReliefs(services, reliefNames({ map_hash: mapHash }, demo.track_key, frame)),
          frame,
          outputDirectory: folder,
        },
        { signal, containment },
      );
      await keep(made, version);
    } catch (error) {
      // The match was deleted meanwhile.
      if (!(error instanceof BlobMissingError)) throw error;
    } finally {
      await map?.release();
      await track?.release();
    }
  });
}

/** The best first, where a match has more highlights than pictures are made of. Moments marked by hand have stills of their own. */
async function momentsOf({ database }: Services, sha256: string): Promise<StillMoment[]> {
  const rows = await database
    .selectFrom("highlights")
    .select(["type", "player", "round", "moments", "start_tick", "end_tick"])
    .where("demo_sha256", "=", sha256)
    .where("is_listed", "=", true)
    .where("type", "<>", "custom")
    .orderBy("score", "desc")
    .orderBy("id")
    .limit(limits.stillsPerMatch)
    .execute();
  return [...new Map(rows.map((row) => [stillName(row), stillMoment(row)])).values()];
}

function stillMoment(row: Parameters<typeof stillName>[0] & { round: number }): StillMoment {
  return { name: stillName(row), round: row.round, player: row.player, tick: decisiveTick(row) };
}

/** Does nothing when the demo is gone, has another track by now, or has pictures. */
async function keepPictures({ database }: Services, sha256: string, trackKey: string, key: string): Promise<void> {
  await database
    .updateTable("demos")
    .set({ pictures_key: key })
    .where("sha256", "=", sha256)
    .where("track_key", "=", trackKey)
    .where("pictures_key", "is", null)
    .execute();
}
