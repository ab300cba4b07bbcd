import type { Transaction } from "kysely";
import { requireDiskRoom } from "../accounts/disk-quota.ts";
import { detectorVersion } from "../highlights/detector-version.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { PartsGoneError } from "../storage/blob-store.ts";
import { withNamedBlobs } from "../storage/named-blobs.ts";
import type { Database, MatchRow, UploadRow, User } from "../storage/schema.ts";
import { checkedDemoUrl } from "./demo-url.ts";
import { checkImportRoom, countImport, lockImportsOf } from "./import-quota.ts";
import { cleanFileName } from "./import-title.ts";
import { requeueImport } from "./match-life.ts";
import { newMatchId } from "./new-match-id.ts";
import { sampleMatchPath } from "./sample-match.ts";
import {
  blobOfUpload,
  deleteFile,
  endUpload,
  ownUpload,
  receivedBytes,
  uploadGone,
  uploadKey,
} from "./uploads-in-parts.ts";

/** What the history provider says about a match before its demo is read. */
export interface RecentMatchFacts {
  recentMatchId: string;
  leetifyMatchId: string | null;
  providerMatchUrl: string | null;
  map: string | null;
  gameMode: string | null;
  score1: number | null;
  score2: number | null;
  playedAt: Date | null;
}

/** An import that its player did not request. */
export interface AutomaticImport {
  /** Runs in the transaction that begins the import, or finds one that is under way; an error rolls it back. */
  within(transaction: Transaction<Database>, match: MatchRow): Promise<void>;
}

/** A match to be imported, and whether this call created it. */
export interface RequestedImport {
  match: MatchRow;
  isNew: boolean;
}

/**
 * Imports a demo by its address. A failed import from the same address is tried again. A match that the player has, or is importing, from
 * there is not imported again, unless its highlights were found by older rules: the new import then becomes an alias of the old match, which
 * stays usable meanwhile.
 * @throws Refusal for what is no usable address, when their storage is full, 429 over the daily limit, or while four
 *   imports of the player are unfinished
 */
export async function importDemoUrl(services: Services, user: User, typedUrl: string): Promise<RequestedImport> {
  const url = checkedDemoUrl(typedUrl);
  return requestImport(services, user, { demo_url: url, source: "url" }, { demo_url: url });
}

/** Imports a match the history provider offers. @throws Refusal as `importDemoUrl` */
export async function importRecentMatch(
  services: Services,
  user: User,
  typedUrl: string,
  facts: RecentMatchFacts,
  automatic?: AutomaticImport,
): Promise<RequestedImport> {
  const url = checkedDemoUrl(typedUrl);
  const values = {
    demo_url: url,
    source: "recent" as const,
    recent_match_id: facts.recentMatchId,
    leetify_match_id: facts.leetifyMatchId,
    provider_match_url: facts.providerMatchUrl,
    provider_map: facts.map,
    provider_game_mode: facts.gameMode,
    provider_score1: facts.score1,
    provider_score2: facts.score2,
    provider_played_at: facts.playedAt,
  };
  return requestImport(services, user, values, { demo_url: url, recent_match_id: facts.recentMatchId }, { automatic });
}

/** Imports the bundled sample match. @throws Refusal when this build has none */
export async function importSampleMatch(services: Services, user: User): Promise<RequestedImport> {
  if (!sampleMatchPath) throw Refusal.notFound("This server has no sample match");
  return requestImport(services, user, { source: "sample" }, { source: "sample" });
}

/**
 * Imports a demo file that is already stored.
 * @param file its blob, which the import or a refusal deletes; its name is shown until the map is known
 * @throws Refusal as `importDemoUrl`
 */
export async function importUploadedDemo(
  services: Services,
  user: User,
  { key, fileName, bytes }: { key: string; fileName: string; bytes: number },
): Promise<RequestedImport> {
  const file_name = cleanFileName(fileName);
  const values = { source: "upload", upload_key: key, upload_bytes: bytes, file_name } as const;
  return withNamedBlobs(services, [key], () => requestImport(services, user, values, null));
}

/**
 * Imports a demo file of which all parts are here. A repeated call, whose first answer was lost for example, gets the same match. After a
 * refusal the file stays, so that it need not be sent again once there is room.
 * @throws Refusal as `importDemoUrl`; when the upload is gone, or parts are missing
 */
export async function importUploadInParts(services: Services, user: User, id: string): Promise<RequestedImport> {
  const upload = await ownUpload(services, user.id, id);
  const missing = upload.bytes - receivedBytes(upload);
  if (missing > 0) throw new Refusal("upload_incomplete", `${missing} bytes of the file are not here yet.`);
  if (upload.match_id === null) await completeFile(services, user, upload);
  const { bytes, file_name } = upload;
  const values = { source: "upload", upload_key: uploadKey(id), upload_bytes: bytes, file_name } as const;
  try {
    return await requestImport(services, user, values, null, { uploadId: id });
  } catch (error) {
    // The upload was ended after its file was completed.
    if (error instanceof Refusal && error.code === "not_found") await deleteFile(services, blobOfUpload(upload));
    throw error;
  }
}

async function completeFile(services: Services, user: User, upload: UploadRow): Promise<void> {
  await checkImportRoom(services, user);
  try {
    const blob = blobOfUpload(upload);
    await services.blobs.completeParts(blob, upload.part_tags, upload.bytes);
  } catch (error) {
    if (!(error instanceof PartsGoneError)) throw error;
    // Unless another call has imported it, and the import has the file already.
    if ((await ownUpload(services, user.id, upload.id)).match_id !== null) return;
    await endUpload(services, upload.id);
    throw uploadGone();
  }
}

/**
 * Tries a failed import again.
 * @returns null for what is not the player's
 * @throws Refusal when it has not failed, 429 as `importDemoUrl`
 */
export async function retryImport(services: Services, user: User, matchId: string): Promise<MatchRow | null> {
  return services.database.transaction().execute(async (transaction) => {
    await lockImportsOf(user.id, transaction);
    const match = await transaction
      .selectFrom("matches")
      .selectAll()
      .where("id", "=", matchId)
      .where("user_id", "=", user.id)
      .forUpdate()
      .executeTakeFirst();
    if (!match) return null;
    if (match.status !== "failed") throw new Refusal("not_failed", "This import has not failed.");
    if (match.source === "upload" && !match.upload_key) {
      throw new Refusal("upload_gone", "The uploaded file is no longer here. Please upload it again.");
    }
    await requireDiskRoom({ ...services, database: transaction }, user.id, 0);
    await countImport(services, user, transaction);
    return queueAgain(services, transaction, match.id);
  });
}

type NewMatch = Pick<MatchRow, "source"> &
  Partial<
    Pick<
      MatchRow,
      | "demo_url"
      | "upload_key"
      | "upload_bytes"
      | "file_name"
      | "recent_match_id"
      | "leetify_match_id"
      | "provider_match_url"
      | "provider_map"
      | "provider_game_mode"
      | "provider_score1"
      | "provider_score2"
      | "provider_played_at"
    >
  >;

interface ImportOrigin {
  automatic?: AutomaticImport | undefined;
  /** Of an upload in parts, which has one match at most. */
  uploadId?: string;
}

/** @param sameAs an import of the player with one of these values is the same; null when none can be */
async function requestImport(
  services: Services,
  user: User,
  values: NewMatch,
  sameAs: Partial<Pick<MatchRow, "demo_url" | "recent_match_id" | "source">> | null,
  { automatic, uploadId }: ImportOrigin = {},
): Promise<RequestedImport> {
  return services.database.transaction().execute(async (transaction) => {
    await lockImportsOf(user.id, transaction);
    const uploaded = uploadId === undefined ? null : await matchOfUpload(transaction, uploadId);
    if (uploaded) return { match: uploaded, isNew: false };
    const existing = sameAs && (await newestOf(transaction, user.id, sameAs));
    const hasFailed = existing?.status === "failed";
    if (existing && !hasFailed && !(await hasOldHighlights(transaction, existing))) {
      if (automatic) await automatic.within(transaction, existing);
      else if (existing.status !== "completed") {
        await services.jobs.hasten("import", { matchId: existing.id }, transaction);
      }
      return { match: existing, isNew: false };
    }
    const asker = { isAutomatic: automatic !== undefined };
    await requireDiskRoom({ ...services, database: transaction }, user.id, values.upload_bytes ?? 0, asker);
    await countImport(services, user, transaction, automatic !== undefined);
    if (existing && hasFailed) {
      const match = await queueAgain(services, transaction, existing.id, values, automatic !== undefined);
      await automatic?.within(transaction, match);
      return { match, isNew: false };
    }
    const match = await transaction
      .insertInto("matches")
      .values({ id: newMatchId(), user_id: user.id, created_at: services.now(), ...values })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (uploadId !== undefined) {
      await transaction.updateTable("uploads").set({ match_id: match.id }).where("id", "=", uploadId).execute();
    }
    const sent = { ownerId: user.id, transaction, isAutomatic: automatic !== undefined };
    await services.jobs.send("import", { matchId: match.id }, sent);
    await automatic?.within(transaction, match);
    return { match, isNew: true };
  });
}

/** The match of an upload, null if it is not imported yet. Nobody ends the upload until the transaction does. @throws Refusal when it is gone */
async function matchOfUpload(transaction: Transaction<Database>, id: string): Promise<MatchRow | null> {
  const upload = await transaction
    .selectFrom("uploads")
    .select("match_id")
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!upload) throw uploadGone();
  if (upload.match_id === null) return null;
  const matches = transaction.selectFrom("matches").selectAll().where("id", "=", upload.match_id);
  return matches.executeTakeFirstOrThrow();
}

/** The player's newest match with one of the values, or the match it turned out to be. */
async function newestOf(
  transaction: Transaction<Database>,
  userId: number,
  values: Partial<MatchRow>,
): Promise<MatchRow | undefined> {
  const own = transaction.selectFrom("matches").selectAll().where("user_id", "=", userId);
  const row = await own
    .where((match) => match.or(values))
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row?.alias_of ? own.where("id", "=", row.alias_of).executeTakeFirst() : row;
}

/** Whether the rules have changed since a match's highlights were found. */
async function hasOldHighlights(
  transaction: Transaction<Database>,
  { status, demo_sha256 }: Pick<MatchRow, "status" | "demo_sha256">,
): Promise<boolean> {
  if (status !== "completed" || !demo_sha256) return false;
  const old = await transaction
    .selectFrom("demos")
    .select("sha256")
    .where("sha256", "=", demo_sha256)
    .where("detector_version", "<", detectorVersion)
    .executeTakeFirst();
  return old !== undefined;
}

async function queueAgain(
  services: Services,
  transaction: Transaction<Database>,
  matchId: string,
  values: Partial<NewMatch> = {},
  isAutomatic = false,
): Promise<MatchRow> {
  const match = await requeueImport(transaction, matchId, values);
  if (!match) throw Refusal.notFound("Match not found");
  await services.jobs.send("import", { matchId }, { ownerId: match.user_id, transaction, isAutomatic });
  return match;
}
