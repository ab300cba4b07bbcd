import { detectorVersion } from "../highlights/detector-version.ts";
import { InterruptedError, type JobContext, PostponeJob } from "../jobs/job-queue.ts";
import type { Services } from "../services.ts";
import { outageOf } from "../waits/outage.ts";
import { markTried, type Redetection, redetectDemo } from "./redetect-demo.ts";

/** How soon the pass looks again whether players have left room for it. */
const waitForPlayersMs = 60_000;
/** How soon it notices that a player has pressed something. */
const lookForPlayersMs = 500;

/**
 * Brings what older versions found up to the rules that hold now, in the background, from this start on. One pass at a time,
 * whatever the number of processes; a pass that was broken off goes on with the demos that are left.
 */
export async function startRedetection(services: Services): Promise<void> {
  const { config, jobs } = services;
  if (config.IMPORT_WORKERS < 1) return;
  await jobs.work("redetect", 1, (_, context) => redetectOldDemos(services, context));
  const isNeeded = (await nextOldDemo(services, [])) !== null && !(await jobs.isOpen("redetect", {}));
  if (isNeeded) await jobs.send("redetect", {}, { ownerId: null });
}

/**
 * The job `redetect`: one old demo after the other, the newest first, for its file is the next to be deleted. While an import
 * or a clip waits or is under way it gives way, in the middle of a demo too.
 * @throws PostponeJob to give way; what went wrong with a demo through no fault of its own, after the others had their turn, to
 *   try it again
 */
export async function redetectOldDemos(services: Services, { signal, isLastAttempt }: JobContext): Promise<void> {
  const demos: Record<Redetection, number> = { whole: 0, partly: 0, not: 0 };
  const failed = new Map<string, unknown>();
  try {
    for (;;) {
      signal.throwIfAborted();
      const sha256 = await nextOldDemo(services, [...failed.keys()]);
      if (sha256 === null) break;
      try {
        demos[await whilePlayersRest(services, signal, (idle) => redetectDemo(services, sha256, idle))]++;
      } catch (error) {
        // What is away, or full, is so for the others too.
        if (signal.aborted || error instanceof PostponeJob || outageOf(error)) throw error;
        failed.set(sha256, error);
        // A demo whose process ends in every try may well be what ends it.
        if (isLastAttempt && error instanceof InterruptedError) await markTried(services, sha256);
      }
    }
  } finally {
    const report = { ...demos, failed: failed.size };
    const hasWorked = Object.values(report).some((count) => count > 0);
    if (hasWorked) services.log.info({ ...report, detectorVersion }, "highlights detected anew");
  }
  for (const error of failed.values()) throw error;
}

/** The next demo whose highlights are old and that was not tried in vain; null when none is left. */
async function nextOldDemo({ database }: Services, without: readonly string[]): Promise<string | null> {
  let query = database
    .selectFrom("demos")
    .select("sha256")
    .where("detector_version", "<", detectorVersion)
    .where((row) => row.or([row("detection_tried", "is", null), row("detection_tried", "<", detectorVersion)]))
    .where((row) => row.or([row("track_key", "is not", null), row("file_key", "is not", null)]));
  if (without.length > 0) query = query.where("sha256", "not in", without);
  const demo = await query.orderBy("created_at", "desc").orderBy("sha256").limit(1).executeTakeFirst();
  return demo?.sha256 ?? null;
}

/**
 * Does a piece of work as long as no player waits for anything and the disk has room.
 * @throws PostponeJob when that ends, or has not begun; the signal's reason
 */
async function whilePlayersRest<Result>(
  services: Services,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const giveWay = new PostponeJob("players and the disk come first", waitForPlayersMs);
  if (services.diskSpace.isShort(true) || (await isAnybodyWaiting(services))) throw giveWay;
  const pressed = new AbortController();
  const look = async () => {
    if (await isAnybodyWaiting(services).catch(() => false)) pressed.abort(giveWay);
  };
  const timer = setInterval(look, lookForPlayersMs);
  try {
    return await work(AbortSignal.any([signal, pressed.signal]));
  } catch (error) {
    signal.throwIfAborted();
    throw pressed.signal.aborted || services.diskSpace.isShort(true) ? giveWay : error;
  } finally {
    clearInterval(timer);
  }
}

async function isAnybodyWaiting({ jobs }: Services): Promise<boolean> {
  const { import: imports, render: renders } = await jobs.depth();
  return imports.waiting + imports.running + renders.waiting + renders.running > 0;
}
