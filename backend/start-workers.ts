import { runRenderJob } from "./clips/render-job.ts";
import { runImport } from "./matches/import-match.ts";
import { importsAtOnce, openImportPlaces } from "./matches/import-places.ts";
import { startRedetection } from "./matches/redetect-old-demos.ts";
import { startRetention } from "./retention/run-retention.ts";
import type { Services } from "./services.ts";
import { settleAbandonedWork } from "./settle-abandoned-work.ts";

const settleEveryMs = 60_000;

/** Starts taking jobs in this process: imports, renders, retention and the detection of old highlights anew, as many at once as configured. */
export async function startWorkers(services: Services): Promise<void> {
  const { config, jobs, log, containment } = services;
  const means = containment.means();
  if (config.CHILD_ISOLATION === "require") await means;
  const places = openImportPlaces(config);
  await jobs.work("import", config.IMPORT_WORKERS > 0 ? importsAtOnce : 0, (payload, context) =>
    runImport(services, places, payload, context),
  );
  await jobs.work("render", config.RENDER_WORKERS, (payload, context) => runRenderJob(services, payload, context));
  await startRetention(services);
  await startRedetection(services);
  const settle = () =>
    settleAbandonedWork(services).catch((error: unknown) => log.warn({ err: error }, "abandoned work not settled"));
  await settle();
  setInterval(settle, settleEveryMs).unref();
}
