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
/** What is read of a count meanwhile is as right, and a little dearer. */
const addUpEveryMs = 30_000;
/** Nobody waits for it, and it looks through tables that grow. */
const upkeepEveryMs = 5 * 60_000;
const backupEveryMs = 30 * 60_000;

/**
 * Starts taking jobs in this process, as many at once as configured (imports, renders, compilations, the files and pictures beside them, old matches anew),
 * and what goes on by itself: retention, the day's backup, webhooks, matches that are imported for players, accounts that are deleted.
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
  // Seconds of copying, for which nobody waits behind minutes of drawing.
  await jobs.work("join", Math.min(1, config.RENDER_WORKERS), (payload, context) =>
    runJoinJob(services, payload, context),
  );
  // Beside the renders, one of each at a time: nobody waits for them, and a queue of long clips must not keep new ones waiting.
  const aside = {
    places: Math.min(1, config.RENDER_WORKERS),
    room: new SharedRoom(lighterJobsWithin(allowedMemory(), config)),
  };
  await jobs.work("share", aside, (payload, context) => runShareJob(services, payload, context));
  await jobs.work("loop", aside, (payload, context) => runLoopJob(services, payload, context));
  await jobs.work("map", aside, (payload, context) => runMapJob(services, payload, context));
  await jobs.work("relief", aside, (payload, context) => runReliefJob(services, payload, context));
  await jobs.work("pictures", aside, (payload, context) => runPicturesJob(services, payload, context));
  // Files go one by one, and nobody waits for it.
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
  // Not waited for: a start is no time to walk through a store.
  void repeat(upkeepEveryMs, "stored files not counted", () => countStoredBlobs(services));
  await repeat(upkeepEveryMs, "due maps not found", () => sendDueMapJobs(services));
  startAutomation(services);
  startWebhooks(services);
  // Not waited for: players come first at a start.
  void repeat(backupEveryMs, "no backup was written", () => writeDailyBackup(services));
}
