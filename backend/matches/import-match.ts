import { refreshProfiles } from "../accounts/steam-profile.ts";
import { DemoImportError } from "../demos/demo-import-error.ts";
import { downloadDemo } from "../demos/download/download-demo.ts";
import { InterruptedError, type JobContext, PostponeJob, RefusedJobError } from "../jobs/job-queue.ts";
import type { Services } from "../services.ts";
import { isDiskFull } from "../storage/disk-full.ts";
import { importWaitsForRoom, importWaitsForStore, requireStore } from "../storage/require-store.ts";
import type { MatchRow } from "../storage/schema.ts";
import { inScratchFolder, type ScratchRun } from "../storage/scratch-folder.ts";
import { deadlines } from "../waits/deadlines.ts";
import { outageOf } from "../waits/outage.ts";
import { announce } from "../webhooks/announce.ts";
import { attachDemo } from "./attach-demo.ts";
import type { ImportPlaces } from "./import-places.ts";
import { ImportProgress } from "./import-progress.ts";
import { completeImport, failImport, giveImportBack, type ImportFailure, importGivenUp } from "./match-life.ts";
import { parseDemoOnce } from "./parse-demo-once.ts";
import { dateDemo, plausiblePlayedAt } from "./played-at.ts";
import { HistoryProviderError } from "./providers/history-provider.ts";
import { providerFor } from "./providers/provider-for.ts";
import { releaseUpload } from "./release-upload.ts";
import { sampleMatchPath } from "./sample-match.ts";
import { isDemoStored } from "./store-demo.ts";
import { deleteUnusedDemo } from "./unused-demo.ts";

/** How soon an import that waits for disk space looks again. */
const waitForDiskMs = 30_000;

/**
 * The job `import`: takes a match from its row to completed or failed. Idempotent: a second run, after a crash, begins with
 * the download unless the demo was stored already. A failure that trying again cannot mend ends as `failed` with its sentence;
 * any other goes back to the queue, and ends as `failed` too when the tries are used up. While the disk is short the import waits.
 */
export async function runImport(
  services: Services,
  places: ImportPlaces,
  { matchId }: { matchId: string },
  context: JobContext,
): Promise<void> {
  const match = await services.database.selectFrom("matches").selectAll().where("id", "=", matchId).executeTakeFirst();
  if (!match || match.alias_of || match.status === "completed" || match.status === "failed") return;
  const progress = new ImportProgress(services, matchId);
  const ended = AbortSignal.any([context.signal, progress.signal]);
  try {
    if (services.diskSpace.isShort(true)) throw waitForDisk();
    await requireStore(services);
    await inScratchFolder(services, `import-${matchId}`, ended, ({ folder, signal }) =>
      importMatch(services, match, { places, folder, progress, signal, isAutomatic: context.isAutomatic }),
    );
  } catch (error) {
    await progress.settled().catch(() => {});
    // A disk that others filled will have room again; one that this demo alone fills never has.
    const isWaiting = isDiskFull(error) && services.diskSpace.isShort(true);
    await settleFailure(services, match, isWaiting ? waitForDisk() : error, context, progress.signal);
  }
}

async function importMatch(services: Services, match: MatchRow, run: ImportRun): Promise<void> {
  const { id: matchId, user_id: userId } = match;
  const { progress, isAutomatic } = run;
  const sha256 = await storedDemoOf(services, match, run);
  // Not broken off any more: a stored demo that no match is attached to would be nobody's to delete.
  progress.report("updating_match_info");
  await progress.settled();
  const standing = await attachDemo(services, matchId, sha256);
  if (standing === null) await deleteUnusedDemo(services, sha256);
  if (match.upload_key) await releaseUpload(services, matchId, match.upload_key);
  if (standing !== matchId) return;
  await services.jobs.send("relief", { sha256 }, { ownerId: userId, isAutomatic });
  progress.report("loading_avatars");
  await loadAvatars(services, sha256);
  await progress.settled();
  await services.database.transaction().execute(async (transaction) => {
    await completeImport(transaction, matchId, services.now());
    await announce(transaction, { event: "match.imported", userId, id: matchId });
  });
}

function waitForDisk(): PostponeJob {
  return new PostponeJob("waiting for free disk space on this server", waitForDiskMs);
}

interface ImportRun extends ScratchRun {
  places: ImportPlaces;
  progress: ImportProgress;
  isAutomatic: boolean;
}

/** Downloads, unpacks, parses and stores the demo of a match, as far as that is still to be done. @returns its SHA-256 */
async function storedDemoOf(services: Services, match: MatchRow, run: ImportRun): Promise<string> {
  if (match.demo_sha256 && (await isDemoStored(services, match.demo_sha256))) return match.demo_sha256;
  const file = await demoFile(services, match, run);
  const playedAt = match.provider_played_at ?? plausiblePlayedAt(file.lastModified, services.now());
  try {
    const sha256 = await parseDemoOnce(
      services,
      { path: file.path, directory: run.folder, maxBytes: services.config.MAX_DEMO_BYTES },
      {
        signal: run.signal,
        onStage: (stage, fraction) => run.progress.report(stage, fraction),
        takePlace: () => placeToParse(match, run),
        playedAt,
        raw: file.raw,
      },
    );
    await dateDemo(services, sha256, playedAt);
    return sha256;
  } finally {
    await file.release();
  }
}

interface DemoFile {
  path: string;
  /** When the host says it was made. */
  lastModified: Date | null;
  /** What is to be kept of it for DEMO_FILE_DAYS. */
  raw: { path: string; bytes: number } | { key: string; bytes: number } | null;
  release(): Promise<void>;
}

function placeToParse(match: MatchRow, { places, progress, signal, isAutomatic }: ImportRun): Promise<() => void> {
  const onWait = (position: number) => progress.reportWaiting("parse", position);
  return places.parses.take({ key: match.id, signal, isAutomatic, onWait });
}

/** The demo as it came: downloaded, uploaded or bundled. */
async function demoFile(services: Services, match: MatchRow, run: ImportRun): Promise<DemoFile> {
  if (match.source === "url" || match.source === "recent") return downloadedFile(services, match, run);
  run.progress.report("downloading_demo");
  if (match.source === "sample") {
    if (!sampleMatchPath) throw new DemoImportError("not_found", { host: "This server" });
    return { path: sampleMatchPath, lastModified: null, raw: null, release: async () => {} };
  }
  const upload = match.upload_key && (await services.blobs.stat(match.upload_key));
  if (!match.upload_key || !upload) throw new UploadGoneError();
  const local = await services.blobs.openLocal(match.upload_key);
  const raw = { key: match.upload_key, bytes: upload.bytes };
  return { path: local.path, lastModified: null, raw, release: local.release };
}

/** Downloads the demo when there is a place for it, and keeps the place as long as the file is needed. */
async function downloadedFile(services: Services, match: MatchRow, run: ImportRun): Promise<DemoFile> {
  const { places, progress, signal, isAutomatic, folder: directory } = run;
  const { IMPORT_ALLOW_HOSTS: allowHosts, MAX_DOWNLOAD_BYTES: maxBytes } = services.config;
  const demoUrl = match.demo_url ?? "";
  const release = await places.downloads.take({
    key: URL.canParse(demoUrl) ? new URL(demoUrl).host : "",
    signal,
    isAutomatic,
    onWait: (position) => progress.reportWaiting("download", position),
  });
  try {
    progress.report("downloading_demo");
    const url = match.source === "recent" ? await providerDownloadUrl(services, demoUrl) : demoUrl;
    const onProgress = (fraction: number | null) => progress.report("downloading_demo", fraction);
    const download = await downloadDemo(url, { directory, allowHosts, maxBytes, signal, onProgress });
    const { path, bytes, lastModified } = download;
    return {
      path,
      lastModified,
      raw: { path, bytes },
      async release() {
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Providers sign addresses for minutes only, so the one to load from is asked for now. */
async function providerDownloadUrl(services: Services, demoUrl: string): Promise<string> {
  const provider = providerFor(services.config);
  return provider ? provider.downloadUrl(demoUrl) : demoUrl;
}

class UploadGoneError extends Error {}

/** Brings names and pictures of the demo's players up to date; without them the match is as good. */
async function loadAvatars(services: Services, sha256: string): Promise<void> {
  const demo = await services.database
    .selectFrom("demos")
    .select("players")
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  const steamIds = demo?.players.flatMap((player) => player.steam_id ?? []) ?? [];
  try {
    await refreshProfiles(services, steamIds, { budgetMs: deadlines.steam.profilesMs });
  } catch (error) {
    services.log.warn({ err: error }, "avatars not loaded");
  }
}

/** Ends the import as failed with a sentence, or gives it back to the queue by throwing. */
async function settleFailure(
  services: Services,
  match: MatchRow,
  error: unknown,
  context: JobContext,
  deleted: AbortSignal,
): Promise<void> {
  if (deleted.aborted) return;
  const { database } = services;
  if (context.signal.aborted) {
    // Deleted meanwhile: nobody waits for it, so there is nothing to give back.
    if (await giveImportBack(database, match.id)) throw error;
    return;
  }
  if (error instanceof PostponeJob) {
    await giveImportBack(database, match.id, error.message);
    throw error;
  }
  const outage = outageOf(error);
  if (outage) {
    // A database that is away is told nothing; the queue holds on to the job until it is back.
    const operation = outage === "store" ? importWaitsForStore : importWaitsForRoom;
    if (outage !== "database" && !(await giveImportBack(database, match.id, operation))) return;
    throw error;
  }
  const failure = failureOf(error);
  if (failure) {
    if (!(await failImport(database, match.id, failure))) return;
    // For the operator it is among what failed.
    const { cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : (error as Error).message;
    throw new RefusedJobError(`${failure.code}: ${reason}`, { cause: error });
  }
  if (context.isLastAttempt) await failImport(database, match.id, lastFailureOf(error));
  else await giveImportBack(database, match.id);
  throw error;
}

/** What is said when no try is left. */
function lastFailureOf(error: unknown): ImportFailure {
  if (error instanceof InterruptedError) return importGivenUp;
  const sentence = "Something went wrong on our side while importing this demo. Try again later.";
  return { code: "internal", sentence };
}

/** Why an import ends for good; null when another try may succeed. */
function failureOf(error: unknown): ImportFailure | null {
  if (error instanceof DemoImportError) return { code: error.code, sentence: error.message };
  if (error instanceof HistoryProviderError) return { code: "provider_failed", sentence: error.message };
  if (error instanceof UploadGoneError) {
    return { code: "upload_gone", sentence: "The uploaded file is no longer here. Please upload it again." };
  }
  if (isDiskFull(error)) {
    const full = new DemoImportError("disk_full", {}, error);
    return { code: full.code, sentence: full.message };
  }
  return null;
}
