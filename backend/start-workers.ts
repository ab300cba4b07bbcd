import { runRenderJob } from "./clips/render-job.ts";
import { runShareJob, sendMissingShareJobs } from "./clips/share-job.ts";
import { runImport } from "./matches/import-match.ts";
import { importsAtOnce, openImportPlaces } from "./matches/import-places.ts";
import { startRedetection } from "./matches/redetect-old-demos.ts";
import { startRetention } from "./retention/run-retention.ts";
import type { Services } from "./services.ts";
import { settleAbandonedWork } from "./settle-abandoned-work.ts";

const settleEveryMs = 60_000;

/** Starts taking jobs in this process: imports, renders, share files, retention and the detection of old highlights anew, as many at once as configured. */
export async function startWorkers(services: Services): Promise<void> {
  const { config, jobs, log, containment } = services;
  const means = containment.means();
  if (config.CHILD_ISOLATION === "require") await means;
  const places = openImportPlaces(config);
  await jobs.work("import", config.IMPORT_WORKERS > 0 ? importsAtOnce : 0, (payload, context) =>
    runImport(services, places, payload, context),
  );
  await jobs.work("render", config.RENDER_WORKERS, (payload, context) => runRenderJob(services, payload, context));
  // One at a time, beside the renders: nobody waits for it, and a queue of long clips must not keep new ones waiting.
  await jobs.work("share", Math.min(1, config.RENDER_WORKERS), (payload, context) =>
    runShareJob(services, payload, context),
  );
  await startRetention(services);
  await startRedetection(services);
  const settle = async () => {
    try {
      await settleAbandonedWork(services);
      await sendMissingShareJobs(services);
    } catch (error) {
      log.warn({ err: error }, "abandoned work not settled");
    }
  };
  await settle();
  setInterval(settle, settleEveryMs).unref();
}
