import type { Insertable, Kysely, Transaction, Updateable } from "kysely";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import { limits } from "../../contract/limits.ts";
import { activeRenderStatuses } from "../../contract/statuses.ts";
import { lockPlayer } from "../accounts/lock-player.ts";
import type { ClipFormatRow, ClipRow, ClipsTable, Database } from "../storage/schema.ts";
import { announce } from "../webhooks/announce.ts";

/**
 * Every change of a clip's status; nobody else sets it. A clip begins as `queued` in one of its player's three places (an automatic
 * one in one of two others), is `processing` while it is rendered, and leaves its place as `completed` or `failed`. A format that is
 * added to a finished clip goes the same way in a row of its own, and takes one of the three places. Functions that return a boolean
 * say whether the clip, or the format, was in a status that allows the change: false when it was deleted, or ended by another
 * worker, meanwhile.
 */

type Connection = Kysely<Database> | Transaction<Database>;

/** What is rendered: a clip in the format in which it was created, or in an added one. */
export interface RenderTarget {
  clipId: number;
  /** An added format. */
  format?: ClipFormat | undefined;
}

/** Said of a clip whose render broke off in every try. */
export const renderGivenUp =
  "The rendering was interrupted again and again, so we gave up. Delete the clip and create it again.";
/** The same for an added format. */
export const formatGivenUp = "The rendering was interrupted again and again, so we gave up. Try again later.";

type NewClip = Omit<Insertable<ClipsTable>, "status" | "queue_slot">;

/**
 * Inserts a clip in a free one of its player's places. When none is free nothing is inserted, so that no id is used up.
 * @returns its id, null when no place is free
 */
export async function insertQueuedClip(transaction: Transaction<Database>, clip: NewClip): Promise<number | null> {
  const slot = await takeFreeSlot(transaction, clip.user_id, clip.made_for_you);
  if (slot === null) return null;
  const { id } = await transaction
    .insertInto("clips")
    .values({ ...clip, status: "queued", queue_slot: slot })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

interface NewFormat {
  clipId: number;
  userId: number;
  format: ClipFormat;
  expectedBytes: number;
  at: Date;
}

/**
 * Queues a further format of a finished clip, new or once more after it failed, in one of its player's places. When it is "queued" the
 * caller sends its job.
 * @returns "there" when the clip has it or it is being rendered, "full" when the player has no place free
 */
export async function insertQueuedFormat(
  transaction: Transaction<Database>,
  { clipId, userId, format, expectedBytes, at }: NewFormat,
): Promise<"queued" | "there" | "full"> {
  const slot = await takeFreeSlot(transaction, userId);
  const known = await transaction
    .selectFrom("clip_formats")
    .select("status")
    .where("clip_id", "=", clipId)
    .where("format", "=", format)
    .executeTakeFirst();
  if (known && known.status !== "failed") return "there";
  if (slot === null) return "full";
  const standing = { status: "queued", progress: 0, error: null, queue_slot: slot } as const;
  const queued = { ...standing, expected_bytes: expectedBytes, created_at: at };
  await transaction
    .insertInto("clip_formats")
    .values({ clip_id: clipId, user_id: userId, format, ...queued })
    .onConflict((conflict) => conflict.columns(["clip_id", "format"]).doUpdateSet(queued))
    .execute();
  return "queued";
}

export type DrawnClip = Pick<ClipRow, "id" | "user_id" | "name" | "demo_sha256" | "spec" | "map_hash">;

/** Marks a clip as being rendered. @returns null when it has ended or was deleted */
export async function startRendering(database: Connection, target: RenderTarget): Promise<DrawnClip | null> {
  const started = { status: "processing", progress: 0, error: null } as const;
  if (!(await change(database, target, activeRenderStatuses, started))) return null;
  const row = await database
    .selectFrom("clips")
    .select(["id", "user_id", "name", "demo_sha256", "spec", "map_hash"])
    .where("id", "=", target.clipId)
    .executeTakeFirst();
  return row ?? null;
}

/** @param progress 0..1 @returns false when the clip was deleted, or is not being rendered any more */
export function reportRendering(database: Connection, target: RenderTarget, progress: number): Promise<boolean> {
  return change(database, target, ["processing"], { progress: Math.min(1, Math.max(0, progress)) });
}

/** Puts a clip that is being rendered back into the queue. It keeps its place. */
export function giveRenderBack(database: Connection, target: RenderTarget): Promise<boolean> {
  return change(database, target, ["processing"], { status: "queued", progress: 0, error: null });
}

/** Puts a clip back into the queue, rendering or not. @param sentence what it waits for */
export function letRenderWait(database: Connection, target: RenderTarget, sentence: string): Promise<boolean> {
  return change(database, target, activeRenderStatuses, { status: "queued", progress: 0, error: sentence });
}

type OfFormat = "video_key" | "poster_key" | "video_bytes";

/** What is stored for a rendered clip; for an added format only `OfFormat`. */
export type RenderedFiles = Pick<
  ClipRow,
  OfFormat | "thumbnail_key" | "wide_poster_key" | "share_key" | "duration_seconds" | "moments"
>;

export function completeRender(
  database: Connection,
  target: RenderTarget,
  files: RenderedFiles,
  at: Date,
): Promise<boolean> {
  const ended = { status: "completed", progress: 1, error: null, queue_slot: null, completed_at: at } as const;
  const { thumbnail_key, wide_poster_key, share_key, duration_seconds, moments, ...ofFormat } = files;
  const ofClip = { thumbnail_key, wide_poster_key, share_key, duration_seconds, moments: JSON.stringify(moments) };
  return change(database, target, ["processing"], { ...ended, ...ofFormat }, ofClip);
}

/** As `completeRender`, for a compilation. @param startSeconds where each of its parts begins, by position */
export async function completeJoin(
  transaction: Transaction<Database>,
  clipId: number,
  files: RenderedFiles,
  startSeconds: readonly number[],
  at: Date,
): Promise<boolean> {
  if (!(await completeRender(transaction, { clipId }, files, at))) return false;
  for (const [position, start] of startSeconds.entries()) {
    await transaction
      .updateTable("clip_parts")
      .set({ start_seconds: start })
      .where("clip_id", "=", clipId)
      .where("position", "=", position)
      .execute();
  }
  return true;
}

/** Ends a clip that is being rendered as failed. @param sentence for the player */
export function failRender(database: Connection, target: RenderTarget, sentence: string): Promise<boolean> {
  return fail(database, target, ["processing"], sentence);
}

/** Ends a clip as failed whose job is given up, whether it waits or is being rendered. */
export function giveRenderUp(database: Connection, target: RenderTarget): Promise<boolean> {
  const sentence = target.format === undefined ? renderGivenUp : formatGivenUp;
  return fail(database, target, activeRenderStatuses, sentence);
}

/** Also announces the failure to the player's webhooks. */
async function fail(
  database: Connection,
  target: RenderTarget,
  from: readonly ClipRow["status"][],
  sentence: string,
): Promise<boolean> {
  const within = async (transaction: Connection) => {
    if (!(await change(transaction, target, from, asFailed(sentence)))) return false;
    const { clipId: id, format } = target;
    const clip = await standing(transaction, target);
    if (!clip) return true;
    const event = format === undefined ? "clip.failed" : "clip.format_failed";
    await announce(transaction, { event, userId: clip.user_id, id, ...(format && { format }) });
    return true;
  };
  return database.isTransaction ? within(database) : database.transaction().execute(within);
}

/**
 * Puts a failed clip back into the queue, in a free place. The caller sends its job.
 * @returns "ended" when it is complete or gone, "full" when its player has no place free
 */
export async function requeueRender(
  transaction: Transaction<Database>,
  target: RenderTarget,
): Promise<"queued" | "ended" | "full"> {
  const clip = await standing(transaction, target);
  if (!clip || clip.status === "completed") return "ended";
  if (clip.queue_slot !== null) return "queued";
  const slot = await takeFreeSlot(transaction, clip.user_id, clip.made_for_you);
  if (slot === null) return "full";
  const requeued = { status: "queued", progress: 0, error: null, queue_slot: slot } as const;
  return (await change(transaction, target, ["failed"], requeued)) ? "queued" : "ended";
}

function standing(database: Connection, { clipId, format }: RenderTarget) {
  const columns = ["user_id", "status", "queue_slot"] as const;
  return format === undefined
    ? database
        .selectFrom("clips")
        .select([...columns, "made_for_you"])
        .where("id", "=", clipId)
        .executeTakeFirst()
    : database
        .selectFrom("clip_formats")
        .select((row) => [...columns, row.lit(false).as("made_for_you")])
        .where("clip_id", "=", clipId)
        .where("format", "=", format)
        .executeTakeFirst();
}

const asFailed = (sentence: string) => ({ status: "failed", progress: 0, error: sentence, queue_slot: null }) as const;

type Change = Partial<Pick<ClipFormatRow, "status" | "progress" | "error" | "queue_slot" | "completed_at" | OfFormat>>;

/** @param ofClip values for columns that rows of added formats do not have */
async function change(
  database: Connection,
  { clipId, format }: RenderTarget,
  from: readonly ClipRow["status"][],
  values: Change,
  ofClip: Updateable<ClipsTable> = {},
): Promise<boolean> {
  const { numUpdatedRows } =
    format === undefined
      ? await database
          .updateTable("clips")
          .set({ ...values, ...(ofClip as object) })
          .where("id", "=", clipId)
          .where("status", "in", from)
          .executeTakeFirst()
      : await database
          .updateTable("clip_formats")
          .set(values)
          .where("clip_id", "=", clipId)
          .where("format", "=", format)
          .where("status", "in", from as ClipFormatRow["status"][])
          .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Finds a free one of a player's places in the render queue. The player's row stays locked until the transaction ends, so that nobody else
 * takes the same one. Clips and added formats share three places. Automatic clips have two others, so that they never take the place of a
 * requested one; when the player keeps an automatic clip it stays in its place but counts among the three.
 * @returns 1 to 3 for requested clips, 4 or 5 for automatic ones, null when none is free
 */
async function takeFreeSlot(
  transaction: Transaction<Database>,
  userId: number,
  isAutomatic = false,
): Promise<number | null> {
  await lockPlayer(transaction, userId);
  const taken = await transaction
    .selectFrom("clips")
    .select(["queue_slot", "made_for_you"])
    .where("user_id", "=", userId)
    .where("queue_slot", "is not", null)
    .unionAll(
      transaction
        .selectFrom("clip_formats")
        .select((row) => ["queue_slot", row.lit(false).as("made_for_you")])
        .where("user_id", "=", userId)
        .where("queue_slot", "is not", null),
    )
    .execute();
  const { clipsInQueuePerUser: own, automaticClipsInQueuePerUser: automatic } = limits;
  const ofLane = taken.filter(({ made_for_you }) => made_for_you === isAutomatic);
  if (ofLane.length >= (isAutomatic ? automatic : own)) return null;
  const [first, last] = isAutomatic ? [own + 1, own + automatic] : [1, own];
  for (let slot = first; slot <= last; slot++) {
    if (!taken.some(({ queue_slot }) => queue_slot === slot)) return slot;
  }
  return null;
}
