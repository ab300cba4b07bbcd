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
import type { User } from "../../storage/schema.ts";
import { insertQueuedClip } from "../clip-life.ts";
import { newLinkKey } from "../clip-link.ts";
import { writeFoundBy } from "../lists/found-by.ts";
import { expectedVideoBytes } from "./expected-bytes.ts";
import { queueIsFull } from "./queue-is-full.ts";

/** Somebody else's, deleted, or not rendered. */
const partNotThere = "A chosen clip is not one of your finished clips, or no more. Load the page anew.";

/** Of another compilation: that one's clips can be chosen themselves. */
const partIsCompilation = "A compilation cannot be part of another one. Choose its clips instead.";

/**
 * Puts a compilation of a player's finished clips, of any matches, into the queue. It has its parts' highlights, and keeps what
 * it was made of by name, whatever becomes of them.
 * @returns its id
 * @throws Refusal for a choice that makes no compilation, and 429 when three of the player's clips wait or are being rendered
 */
export async function createCompilation(services: Services, user: User, request: CreateCompilation): Promise<number> {
  const { database, jobs, now } = services;
  const chosen = [...new Set(request.clip_ids)];
  if (chosen.length < limits.partsOfCompilation.min) throw Refusal.ofField("clip_ids", tooFewParts);
  if (chosen.length > limits.partsOfCompilation.max) throw Refusal.ofField("clip_ids", tooManyParts);
  const found = await database
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
    .where("clips.id", "in", chosen)
    .where("clips.user_id", "=", user.id)
    .where("clips.status", "=", "completed")
    .execute();
  const parts = chosen.flatMap((id) => found.find((clip) => clip.id === id) ?? []);
  const [first] = parts;
  if (!first || parts.length < chosen.length) throw Refusal.ofField("clip_ids", partNotThere);
  if (parts.some((part) => part.match_id === null)) throw Refusal.ofField("clip_ids", partIsCompilation);
  const seconds = parts.reduce((sum, part) => sum + (part.duration_seconds ?? 0), 0);
  if (seconds > limits.compilationSeconds) throw Refusal.ofField("clip_ids", compilationTooLong);
  const format = chosenFormat(await formatsOf(services, parts), request.format);
  // What was not for everybody does not become so by being joined.
  const isUnlisted = parts.some((part) => part.link_key !== null);
  const linkKey = newLinkKey(request.visibility ?? (isUnlisted ? "unlisted" : "public"));
  const { width, height, framesPerSecond } = clipFormats[format];
  const maps = [...new Set(parts.flatMap(({ map }) => map ?? []))];
  const name = cleanClipName(request.name) || cleanClipName(generatedName(maps, parts.length));
  try {
    return await database.transaction().execute(async (transaction) => {
      const expected = expectedVideoBytes(seconds, format);
      await requireDiskRoom({ ...services, database: transaction }, user.id, expected);
      const clipId = await insertQueuedClip(transaction, {
        expected_bytes: expected,
        ...{
          user_id: user.id,
          match_id: null,
          demo_sha256: null,
          map_hash: null,
          name,
          created_at: now(),
          link_key: linkKey,
        },
        // It is drawn from nothing: what it shows is in its parts. Its size says which format it has.
        spec: JSON.stringify({ ...first.spec, segments: [], title: name, width, height, framesPerSecond }),
        settings: JSON.stringify(first.settings),
      });
      if (clipId === null) throw queueIsFull();
      const shown = await transaction
        .selectFrom("clip_highlights")
        .select(["clip_id", "highlight_id", "position"])
        .where("clip_id", "in", chosen)
        .execute();
      shown.sort((a, b) => chosen.indexOf(a.clip_id) - chosen.indexOf(b.clip_id) || a.position - b.position);
      await transaction
        .insertInto("clip_parts")
        .values(
          parts.map((part, position) => ({
            ...{ clip_id: clipId, position, part_id: part.id, name: part.name },
            duration_seconds: part.duration_seconds ?? 0,
            highlight_ids: JSON.stringify(
              shown.flatMap(({ clip_id, highlight_id }) => (clip_id === part.id ? [highlight_id] : [])),
            ),
          })),
        )
        .execute();
      // Two clips may show the same one.
      const distinct = [...new Set(shown.map(({ highlight_id }) => highlight_id))];
      if (distinct.length > 0) {
        await transaction
          .insertInto("clip_highlights")
          .values(distinct.map((highlight_id, position) => ({ clip_id: clipId, highlight_id, position })))
          .execute();
      }
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

function generatedName(maps: readonly string[], clips: number): string {
  return [severalMaps(maps), `${clips} Clips`].filter(Boolean).join(" - ");
}
