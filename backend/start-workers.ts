import { startAutomation } from "./automation/run-automation.ts";
import { runJoinJob } from "./clips/render/join-job.ts";
import { runLoopJob } from "./clips/render/loop-job.ts";
import { sendMissingFileJobs } from "./clips/render/missing-files.ts";
import { runPicturesJob } from "./clips/render/pictures-job.ts";
import { runReliefJob } from "./clips/render/relief-job.ts";
import { runRenderJob } from "./clips/render/render-job.ts";
import { runShareJob } from "./clips/render/share-job.ts";
import { SharedRoom } from "./jobs/shared-room.ts";
import { runForgetJob } from "./library/delete-user.ts";
import { runMapJob, sendDueMapJobs } from "./maps/map-job.ts";
import { runImport } from "./matches/import-match.ts";
import { automaticImportsAtOnce, importsAtOnce, openImportPlaces } from "./matches/import-places.ts";
import { startRedetection } from "./matches/redetect-old-demos.ts";
import { writeDailyBackup } from "./operator/backup/daily-backup.ts";
import { allowedMemory, lighterJobsWithin } from "./places-by-memory.ts";
import { repeatEvery } from "./repeat-every.ts";
import { startRetention } from "./retention/run-retention.ts";
import type { Services } from "./services.ts";
import { settleAbandonedWork } from "./settle-abandoned-work.ts";
import { addUpCounts } from "./storage/counts.ts";
import { countStoredBlobs } from "./supervision/storage-census.ts";
import { startWebhooks } from "./webhooks/deliver.ts";

const settleEveryMs = 60_000;
/** Counts are right without it, but cost a little more to read. */
const addUpEveryMs = 30_000;
/** Nobody waits for this upkeep, and it reads tables that grow. */
const upkeepEveryMs = 5 * 60_000;
const backupEveryMs = 30 * 60_000;

/**
 * Starts this process's workers, with the configured number of places for each queue, and everything that runs by the clock: retention,
 * the daily backup, webhooks, automatic imports, counts.
 */
export async function startWorkers(services: Services): Promise<void> {
  const { config, jobs, log, containment } = services;
  const means = containment.means();
  if (config.CHILD_ISOLATION === "require") await means;
  const places = openImportPlaces(config);
  const imports = {
    places: config.IMPORT_WORKERS > 0 ? importsAtOnce : 0,
    automaticPlaces: automaticImportsAtOnce(config),
  };
  await jobs.work("import", imports, (payload, context) => runImport(services, places, payload, context));
  const renders = { places: config.RENDER_WORKERS, automaticPlaces: Math.max(1, config.RENDER_WORKERS - 1) };
  await jobs.work("render", renders, (payload, context) => runRenderJob(services, payload, context));
  // A compilation takes seconds of copying and must not wait behind minutes of rendering.
  await jobs.work("join", Math.min(1, config.RENDER_WORKERS), (payload, context) =>
    runJoinJob(services, payload, context),
  );
  // One of each at a time, beside the renders: nobody waits for them, and they must not keep new clips waiting.
  const aside = {
    places: Math.min(1, config.RENDER_WORKERS),
    room: new SharedRoom(lighterJobsWithin(allowedMemory(), config)),
  };
  await jobs.work("share", aside, (payload, context) => runShareJob(services, payload, context));
  await jobs.work("loop", aside, (payload, context) => runLoopJob(services, payload, context));
  await jobs.work("map", aside, (payload, context) => runMapJob(services, payload, context));
  await jobs.work("relief", aside, (payload, context) => runReliefJob(services, payload, context));
  await jobs.work("pictures", aside, (payload, context) => runPicturesJob(services, payload, context));
  // Files are deleted one by one, and nobody waits for it.
  await jobs.work("forget", 1, (payload) => runForgetJob(services, payload));
  await startRetention(services);
  await startRedetection(services);
  const repeat = (everyMs: number, problem: string, work: () => Promise<unknown>) =>
    repeatEvery(everyMs, () => work().catch((error) => log.warn({ err: error }, problem)));
  await repeat(settleEveryMs, "abandoned work not settled", () => settleAbandonedWork(services));
  await repeat(addUpEveryMs, "counts not added up", () => addUpCounts(services.database));
  for (const file of ["share", "loop"] as const) {
    await repeat(upkeepEveryMs, `missing ${file} files not found`, () => sendMissingFileJobs(services, file));
  }
  // Not awaited: walking through a store would delay the start.
  void repeat(upkeepEveryMs, "stored files not counted", () => countStoredBlobs(services));
  await repeat(upkeepEveryMs, "due maps not found", () => sendDueMapJobs(services));
  startAutomation(services);
  startWebhooks(services);
  // Not awaited: a backup would delay the start.
  void repeat(backupEveryMs, "no backup was written", () => writeDailyBackup(services));
}
