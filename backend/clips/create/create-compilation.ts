import type { Transaction } from "kysely";
import { cleanClipName } from "../../../contract/clean-text.ts";
import {
  type ClipFormat,
  clipFormatLabels,
  clipFormatNames,
  clipFormats,
  formatOfSize,
} from "../../../contract/clip-formats.ts";
import { compilationTooLong, tooFewParts, tooManyParts } from "../../../contract/clip-rules.ts";
import { limits } from "../../../contract/limits.ts";
import type { CreateCompilation } from "../../../contract/schemas/create-clip.ts";
import { requireDiskRoom } from "../../accounts/disk-quota.ts";
import { severalMaps } from "../../matches/match-info.ts";
import { Refusal } from "../../refusal.ts";
import type { Services } from "../../services.ts";
import type { Database, User } from "../../storage/schema.ts";
import { insertQueuedClip } from "../clip-life.ts";
import { newLinkKey } from "../clip-link.ts";
import { writeFoundBy } from "../lists/found-by.ts";
import { expectedVideoBytes } from "./expected-bytes.ts";
import { queueIsFull } from "./queue-is-full.ts";

/** Of a clip that is somebody else's, deleted, or not rendered. */
const partNotThere = "A chosen clip is not one of your finished clips, or no more. Load the page anew.";

/** The clips of that compilation can be chosen themselves. */
const partIsCompilation = "A compilation cannot be part of another one. Choose its clips instead.";

/**
 * Puts a compilation of a player's finished clips, of any matches, into the queue. It has the highlights of its parts. Names of
 * the parts are copied, so that the compilation can list them after they are deleted.
 * @returns its id
 * @throws Refusal for clips that cannot be joined, when the player's storage is full, and when three of their clips wait or are
 *   being rendered
 */
export async function createCompilation(services: Services, user: User, request: CreateCompilation): Promise<number> {
  const { database, jobs, now } = services;
  const parts = await chosenParts(services, user, request.clip_ids);
  const [first] = parts;
  const seconds = parts.reduce((sum, part) => sum + (part.duration_seconds ?? 0), 0);
  if (seconds > limits.compilationSeconds) throw Refusal.ofField("clip_ids", compilationTooLong);
  const format = chosenFormat(await formatsOf(services, parts), request.format);
  // Joining clips does not publish those that are unlisted.
  const isUnlisted = parts.some((part) => part.link_key !== null);
  const { width, height, framesPerSecond } = clipFormats[format];
  const name = cleanClipName(request.name) || cleanClipName(generatedName(parts));
  const expectedBytes = expectedVideoBytes(seconds, format);
  try {
    return await database.transaction().execute(async (transaction) => {
      await requireDiskRoom({ ...services, database: transaction }, user.id, expectedBytes);
      const clipId = await insertQueuedClip(transaction, {
        user_id: user.id,
        match_id: null,
        demo_sha256: null,
        map_hash: null,
        name,
        created_at: now(),
        link_key: newLinkKey(request.visibility ?? (isUnlisted ? "unlisted" : "public")),
        expected_bytes: expectedBytes,
        // Nothing is drawn from this spec: its size says which format the compilation has.
        spec: JSON.stringify({ ...first.spec, segments: [], title: name, width, height, framesPerSecond }),
        settings: JSON.stringify(first.settings),
      });
      if (clipId === null) throw queueIsFull();
      await insertParts(transaction, clipId, parts);
      await writeFoundBy(transaction, clipId);
      await jobs.send("join", { clipId }, { ownerId: user.id, transaction });
      return clipId;
    });
  } catch (error) {
    // A foreign key: a part, or its match, was deleted since it was looked up.
    if ((error as { code?: string }).code === "23503") throw Refusal.ofField("clip_ids", partNotThere);
    throw error;
  }
}

type Part = Awaited<ReturnType<typeof finishedClips>>[number];

function finishedClips({ database }: Services, user: User, ids: readonly number[]) {
  return database
    .selectFrom("clips")
    .leftJoin("demos", "demos.sha256", "clips.demo_sha256")
    .select([
      "clips.id",
      "clips.match_id",
      "clips.name",
      "clips.spec",
      "clips.settings",
      "clips.duration_seconds",
      "clips.link_key",
      "demos.map",
    ])
    .where("clips.id", "in", ids)
    .where("clips.user_id", "=", user.id)
    .where("clips.status", "=", "completed")
    .execute();
}

/** @throws Refusal when they are too few, too many, not there, or compilations themselves */
async function chosenParts(services: Services, user: User, clipIds: readonly number[]): Promise<[Part, ...Part[]]> {
  const ids = [...new Set(clipIds)];
  if (ids.length < limits.partsOfCompilation.min) throw Refusal.ofField("clip_ids", tooFewParts);
  if (ids.length > limits.partsOfCompilation.max) throw Refusal.ofField("clip_ids", tooManyParts);
  const found = await finishedClips(services, user, ids);
  const [first, ...others] = ids.flatMap((id) => found.find((clip) => clip.id === id) ?? []);
  if (!first || found.length < ids.length) throw Refusal.ofField("clip_ids", partNotThere);
  const parts: [Part, ...Part[]] = [first, ...others];
  if (parts.some((part) => part.match_id === null)) throw Refusal.ofField("clip_ids", partIsCompilation);
  return parts;
}

/** Writes what a compilation is joined of, and the highlights that it shows. */
async function insertParts(transaction: Transaction<Database>, clipId: number, parts: readonly Part[]): Promise<void> {
  const ids = parts.map(({ id }) => id);
  const shown = await transaction
    .selectFrom("clip_highlights")
    .select(["clip_id", "highlight_id", "position"])
    .where("clip_id", "in", ids)
    .execute();
  shown.sort((a, b) => ids.indexOf(a.clip_id) - ids.indexOf(b.clip_id) || a.position - b.position);
  await transaction
    .insertInto("clip_parts")
    .values(
      parts.map((part, position) => ({
        clip_id: clipId,
        position,
        part_id: part.id,
        name: part.name,
        duration_seconds: part.duration_seconds ?? 0,
        highlight_ids: JSON.stringify(
          shown.flatMap(({ clip_id, highlight_id }) => (clip_id === part.id ? [highlight_id] : [])),
        ),
      })),
    )
    .execute();
  // Two parts may show the same highlight.
  const distinct = [...new Set(shown.map(({ highlight_id }) => highlight_id))];
  if (distinct.length === 0) return;
  await transaction
    .insertInto("clip_highlights")
    .values(distinct.map((highlight_id, position) => ({ clip_id: clipId, highlight_id, position })))
    .execute();
}

/** The formats in which each part is ready, the one it was created in first. */
async function formatsOf(
  { database }: Services,
  parts: readonly { id: number; spec: { width: number; height: number } }[],
): Promise<ClipFormat[][]> {
  const added = await database
    .selectFrom("clip_formats")
    .select(["clip_id", "format"])
    .where(
      "clip_id",
      "in",
      parts.map(({ id }) => id),
    )
    .where("status", "=", "completed")
    .execute();
  return parts.map(({ id, spec }) => [
    formatOfSize(spec),
    ...added.filter((row) => row.clip_id === id).map(({ format }) => format),
  ]);
}

/**
 * The format of a compilation: the wanted one, or that of its first clip, or another that all of them have.
 * @param available of each part, its own first
 * @throws Refusal with a sentence that says which clips have which format
 */
function chosenFormat(available: readonly ClipFormat[][], wanted?: ClipFormat): ClipFormat {
  const common = clipFormatNames.filter((format) => available.every((formats) => formats.includes(format)));
  const own = available[0]?.[0];
  const format = wanted ?? common.find((name) => name === own) ?? common[0];
  if (format && common.includes(format)) return format;
  const described = available.map(
    (formats, index) => `${index + 1}: ${formats.map((name) => clipFormatLabels[name]).join(", ")}`,
  );
  const sentence = wanted
    ? `Not all of these clips have the format ${clipFormatLabels[wanted]}`
    : "These clips differ in format";
  throw Refusal.ofField(
    "clip_ids",
    `${sentence} (${described.join("; ")}). Choose clips of one format, or add it to the others on their pages.`,
  );
}

function generatedName(parts: readonly Part[]): string {
  const maps = [...new Set(parts.flatMap(({ map }) => map ?? []))];
  return [severalMaps(maps), `${parts.length} Clips`].filter(Boolean).join(" - ");
}
