import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Services } from "../services.ts";
import { ownBlobs } from "../storage/own-blobs.ts";

/** Kinds of blobs, from their keys. */
const blobKinds = [
  "videos",
  "pictures",
  "share_files",
  "loops",
  "tracks",
  "demos",
  "match_pictures",
  "maps",
  "uploads",
  "other",
] as const;
export type BlobKind = (typeof blobKinds)[number];

type Sizes = Partial<Record<BlobKind, [count: number, bytes: number]>>;

export interface StorageCensus {
  kinds: { kind: BlobKind; count: number; bytes: number }[];
  /** ISO 8601. */
  begunAt: string;
  endedAt: string;
}

const sizesSchema = z.partialRecord(z.enum(blobKinds), z.tuple([z.number(), z.number()]));
const resultSchema = z.object({ sizes: sizesSchema, begunAt: z.string(), endedAt: z.string() });
const progressSchema = z.object({
  sizes: sizesSchema,
  begunAt: z.string(),
  /** The last key that was counted. */
  after: z.string(),
  /** Who counts the current part, and until when nobody else treats it as abandoned. */
  by: z.string(),
  heldUntil: z.string(),
});

const resultKey = "census:result";
const progressKey = "census:progress";

/** Blobs in a part, after which another process may continue. */
const blobsAtOnce = 20_000;
const heldForMs = 10 * 60_000;
/** How long a count is valid, unless it takes only one part: then it is repeated on every call. */
const countEveryMs = 30 * 60_000;

/**
 * Counts stored blobs by kind, a part of the store each time, in one process at a time, from where the last part ended, so that nobody who
 * reads the figures waits for a listing of millions of files. Changes meanwhile may or may not be included.
 * @returns false when there was nothing to do, or another process does it
 */
export async function countStoredBlobs(services: Services, { most = blobsAtOnce, everyMs = countEveryMs } = {}) {
  const { blobs, now } = services;
  const last = await read(services, resultKey, resultSchema);
  const before = await read(services, progressKey, progressSchema);
  const isLarge = last?.value && Object.values(last.value.sizes).reduce((sum, [count]) => sum + count, 0) >= most;
  if (!before?.value && isLarge && now().getTime() - Date.parse(last.value!.endedAt) < everyMs) return false;
  if (before?.value && Date.parse(before.value.heldUntil) > now().getTime()) return false;
  const by = randomUUID();
  const heldUntil = new Date(now().getTime() + heldForMs).toISOString();
  const begin = { sizes: {}, begunAt: now().toISOString(), after: "" };
  const held = JSON.stringify({ ...(before?.value ?? begin), by, heldUntil });
  if (!(await replace(services, progressKey, before?.text ?? null, held))) return false;
  const { begunAt, ...from } = before?.value ?? begin;
  const sizes: Sizes = { ...from.sizes };
  let looked = 0;
  let after = from.after;
  for await (const { key, bytes } of ownBlobs(blobs, after)) {
    const kind = blobKind(key);
    const [count, sum] = sizes[kind] ?? [0, 0];
    sizes[kind] = [count + 1, sum + bytes];
    after = key;
    if (++looked >= most) break;
  }
  const isAtEnd = looked < most;
  const next = { sizes, begunAt, after: isAtEnd ? "" : after, by, heldUntil: now().toISOString() };
  // A process that took longer than its claim lasts has lost the part to another one.
  if (!(await replace(services, progressKey, held, JSON.stringify(next)))) return false;
  if (!isAtEnd) return true;
  const result = { sizes, begunAt, endedAt: now().toISOString() };
  await replace(services, resultKey, last?.text ?? null, JSON.stringify(result));
  await services.database.deleteFrom("settings").where("key", "=", progressKey).execute();
  return true;
}

/** The last complete count; null before the first. */
export async function storageCensus(services: Pick<Services, "database">): Promise<StorageCensus | null> {
  const last = await read(services, resultKey, resultSchema);
  if (!last?.value) return null;
  const { sizes, begunAt, endedAt } = last.value;
  const kinds = blobKinds.map((kind) => ({ kind, count: sizes[kind]?.[0] ?? 0, bytes: sizes[kind]?.[1] ?? 0 }));
  return { kinds, begunAt, endedAt };
}

/** @param key e.g. `clips/12/vertical-video-3f2a.mp4` */
export function blobKind(key: string): BlobKind {
  const [folder, , name = ""] = key.split("/");
  if (folder === "uploads") return "uploads";
  if (folder === "maps") return "maps";
  if (folder === "clips") {
    if (/(^|-)(poster|thumbnail)-/.test(name)) return "pictures";
    if (/(^|-)video-/.test(name)) return "videos";
    if (name.startsWith("share-")) return "share_files";
    if (name.startsWith("loop-")) return "loops";
  }
  if (folder === "demos") {
    if (name.startsWith("track-")) return "tracks";
    if (/^(pictures|still)-/.test(name)) return "match_pictures";
    if (name.startsWith("demo")) return "demos";
  }
  return "other";
}

async function read<Value>({ database }: Pick<Services, "database">, key: string, schema: z.ZodType<Value>) {
  const row = await database.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst();
  if (!row) return null;
  const parsed = schema.safeParse(JSON.parse(row.value));
  // Another version's count is repeated.
  return { text: row.value, value: parsed.success ? parsed.data : null };
}

/** Writes a row if it has not changed since it was read. @returns false when somebody else was faster */
async function replace({ database }: Services, key: string, before: string | null, value: string): Promise<boolean> {
  if (before === null) {
    const { numInsertedOrUpdatedRows: rows } = await database
      .insertInto("settings")
      .values({ key, value })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .executeTakeFirst();
    return (rows ?? 0n) > 0n;
  }
  const { numUpdatedRows } = await database
    .updateTable("settings")
    .set({ value })
    .where("key", "=", key)
    .where("value", "=", before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
