import { deleteOldMapFootprints } from "../maps/map-files.ts";
import type { Services } from "../services.ts";
import { deleteHeldBlobs } from "./delete-held.ts";
import { deleteOldClips } from "./delete-old-clips.ts";
import { deleteOldDemoFiles } from "./delete-old-demo-files.ts";
import { deleteOldMatches } from "./delete-old-matches.ts";
import { deleteOldTraces } from "./delete-old-traces.ts";
import { abortUnfinishedUploads, deleteLeftScratch, deleteOrphanBlobs } from "./delete-orphans.ts";
import { endOldUploads } from "./end-old-uploads.ts";

/** How many of each kind were deleted. */
export interface RetentionReport {
  demoFiles: number;
  clips: number;
  matches: number;
  tracks: number;
  sessions: number;
  uploads: number;
  orphanBlobs: number;
  scratchFiles: number;
}

/**
 * Deletes everything past its retention period, as the legal texts promise. May run at any time, run twice, or be interrupted: rows are
 * deleted before their files, and files without a row are found by the next run.
 */
export async function runRetention(services: Services, signal: AbortSignal): Promise<RetentionReport> {
  const demoFiles = await deleteOldDemoFiles(services, signal);
  // Before the matches, which stay while they have clips.
  const clips = await deleteOldClips(services, signal);
  const { matches, tracks } = await deleteOldMatches(services, signal);
  const sessions = await deleteOldTraces(services);
  await deleteOldMapFootprints(services);
  // Those of backups that died, or ended during an outage of the store.
  await deleteHeldBlobs(services, signal);
  // Before the parts that no row names.
  const uploads = await endOldUploads(services, signal);
  const orphanBlobs = (await deleteOrphanBlobs(services, signal)) + (await abortUnfinishedUploads(services, signal));
  const scratchFiles = await deleteLeftScratch(services);
  const report = { demoFiles, clips, matches, tracks, sessions, uploads, orphanBlobs, scratchFiles };
  services.log.info(report, "retention");
  return report;
}

/** Hourly rather than nightly: a laptop that runs the product sleeps at night. */
const cron = "17 * * * *";

/** Schedules retention as a job; any worker process may take it. */
export async function startRetention(services: Services): Promise<void> {
  await services.jobs.work("retention", 1, async (_, { signal }) => {
    await runRetention(services, signal);
  });
  await services.jobs.schedule("retention", cron);
}
