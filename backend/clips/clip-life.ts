import type { Insertable, Kysely, Transaction, Updateable } from "kysely";
import { limits } from "../../contract/limits.ts";
import { activeRenderStatuses, type RenderStatus } from "../../contract/statuses.ts";
import type { ClipRow, ClipsTable, Database } from "../storage/schema.ts";

/**
 * The life of a clip, every change of its status by name; nobody else sets it. It begins as `queued` in one of its player's
 * three places, is `processing` while it is drawn, and leaves its place as `completed` or `failed`. Each function says whether
 * it found the clip where that change may begin: false when it was deleted, or ended by another worker, meanwhile.
 */

type Connection = Kysely<Database> | Transaction<Database>;

/** How a clip ends whose render broke off in every try. */
export const renderGivenUp =
  "The rendering was interrupted again and again, so we gave up. Delete the clip and create it again.";

type NewClip = Omit<Insertable<ClipsTable>, "status" | "queue_slot">;

/**
 * A new clip takes one of its player's places. A refusal inserts nothing, so it uses up no id.
 * @returns its id, null when no place is free
 */
export async function insertQueuedClip(transaction: Transaction<Database>, clip: NewClip): Promise<number | null> {
  const slot = await takeFreeSlot(transaction, clip.user_id);
  if (slot === null) return null;
  const { id } = await transaction
    .insertInto("clips")
    .values({ ...clip, status: "queued", queue_slot: slot })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** A clip is drawn from now on. @returns null when it has ended or was deleted */
export async function startRendering(database: Connection, clipId: number): Promise<ClipRow | null> {
  const row = await database
    .updateTable("clips")
    .set({ status: "processing", progress: 0, error: null })
    .where("id", "=", clipId)
    .where("status", "in", activeRenderStatuses)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** @param progress 0..1 @returns false when the clip was deleted */
export async function reportRendering(database: Connection, clipId: number, progress: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("clips")
    .set({ progress: Math.min(1, Math.max(0, progress)) })
    .where("id", "=", clipId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A clip that is being drawn goes back to the queue, in its place. */
export function giveRenderBack(database: Connection, clipId: number): Promise<boolean> {
  return change(database, clipId, ["processing"], { status: "queued", progress: 0, error: null });
}

/** A clip, drawn already or not, waits for something. @param sentence what it waits for */
export function letRenderWait(database: Connection, clipId: number, sentence: string): Promise<boolean> {
  return change(database, clipId, activeRenderStatuses, { status: "queued", progress: 0, error: sentence });
}

export type RenderedFiles = Pick<
  ClipRow,
  "video_key" | "poster_key" | "thumbnail_key" | "video_bytes" | "duration_seconds"
>;

export function completeRender(database: Connection, clipId: number, files: RenderedFiles, at: Date): Promise<boolean> {
  const ended = { status: "completed", progress: 1, error: null, queue_slot: null, completed_at: at } as const;
  return change(database, clipId, ["processing"], { ...files, ...ended });
}

/** A clip that is being drawn fails. @param sentence for the player */
export function failRender(database: Connection, clipId: number, sentence: string): Promise<boolean> {
  return change(database, clipId, ["processing"], asFailed(sentence));
}

/** A clip whose job is given up fails, wherever it stood. */
export function giveRenderUp(database: Connection, clipId: number): Promise<boolean> {
  return change(database, clipId, activeRenderStatuses, asFailed(renderGivenUp));
}

/**
 * A failed clip takes a place again. The caller sends its job.
 * @returns "ended" when it is complete or gone, "full" when its player has no place free
 */
export async function requeueRender(
  transaction: Transaction<Database>,
  clipId: number,
): Promise<"queued" | "ended" | "full"> {
  const clip = await transaction
    .selectFrom("clips")
    .select(["user_id", "status", "queue_slot"])
    .where("id", "=", clipId)
    .executeTakeFirst();
  if (!clip || clip.status === "completed") return "ended";
  if (clip.queue_slot !== null) return "queued";
  const slot = await takeFreeSlot(transaction, clip.user_id);
  if (slot === null) return "full";
  const requeued = { status: "queued", progress: 0, error: null, queue_slot: slot } as const;
  return (await change(transaction, clipId, ["failed"], requeued)) ? "queued" : "ended";
}

const asFailed = (sentence: string) => ({ status: "failed", progress: 0, error: sentence, queue_slot: null }) as const;

async function change(
  database: Connection,
  clipId: number,
  from: readonly RenderStatus[],
  values: Updateable<ClipsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("clips")
    .set(values)
    .where("id", "=", clipId)
    .where("status", "in", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * A free one of a player's places in the render queue, theirs to take until the transaction ends: whoever else asks for this
 * player waits until then.
 * @returns 1 to 3, null when none is free
 */
async function takeFreeSlot(transaction: Transaction<Database>, userId: number): Promise<number | null> {
  // Not FOR UPDATE: that would also hold up rows that refer to the player, their likes.
  await transaction.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
  const taken = await transaction
    .selectFrom("clips")
    .select("queue_slot")
    .where("user_id", "=", userId)
    .where("queue_slot", "is not", null)
    .execute();
  for (let slot = 1; slot <= limits.clipsInQueuePerUser; slot++) {
    if (!taken.some(({ queue_slot }) => queue_slot === slot)) return slot;
  }
  return null;
}
