import { deleteOldMapFootprints } from "../maps/map-files.ts";
import type { Services } from "../services.ts";
import { deleteHeldBlobs } from "./delete-held.ts";
import { deleteOldClips } from "./delete-old-clips.ts";
import { deleteOldDemoFiles } from "./delete-old-demo-files.ts";
import { deleteOldMatches } from "./delete-old-matches.ts";
import { deleteOldTraces } from "./delete-old-traces.ts";
import { deleteLeftScratch, deleteOrphanBlobs, endLeftUploads } from "./delete-orphans.ts";

/** How many of each were deleted. */
export interface RetentionReport {
  demoFiles: number;
  clips: number;
  matches: number;
  tracks: number;
  sessions: number;
  orphanBlobs: number;
  scratchFiles: number;
}

/**
 * Deletes everything whose time is over, as the legal texts promise. Safe to run at any moment, twice, or to break off:
 * rows go before their files, and files without a row are found the next time.
 */
export async function runRetention(services: Services, signal: AbortSignal): Promise<RetentionReport> {
  const demoFiles = await deleteOldDemoFiles(services, signal);
  // Before the matches, which stay while they have clips.
  const clips = await deleteOldClips(services, signal);
  const { matches, tracks } = await deleteOldMatches(services, signal);
  const sessions = await deleteOldTraces(services);
  await deleteOldMapFootprints(services);
  // Of backups that died, or after which the store was away.
  await deleteHeldBlobs(services, signal);
  const orphanBlobs = (await deleteOrphanBlobs(services, signal)) + (await endLeftUploads(services, signal));
  const scratchFiles = await deleteLeftScratch(services);
  const report = { demoFiles, clips, matches, tracks, sessions, orphanBlobs, scratchFiles };
  services.log.info(report, "retention");
  return report;
}

/** Hourly and not nightly: a laptop that runs the product sleeps at night. */
const cron = "17 * * * *";

/** Runs retention as a job from now on, in whichever worker process takes it. */
export async function startRetention(services: Services): Promise<void> {
  await services.jobs.work("retention", 1, async (_, { signal }) => {
    await runRetention(services, signal);
  });
  await services.jobs.schedule("retention", cron);
}
