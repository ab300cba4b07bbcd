import type { Transaction } from "kysely";
import type { CreateClip } from "../../contract/api.ts";
import { clipName } from "../../contract/clip-rules.ts";
import { limits } from "../../contract/limits.ts";
import { mapDisplayName } from "../../contract/maps.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { ApiError } from "../api/request-context.ts";
import { ownMatch } from "../matches/match-rows.ts";
import type { Services } from "../services.ts";
import type { Database, DemoRow, HighlightRow, User } from "../storage/schema.ts";
import { storedHighlight } from "./clip-highlights.ts";
import { cleanClipName } from "./clip-name.ts";
import { buildClipSpec } from "./clip-spec.ts";

const framesPerSecond = 60;

/**
 * Puts a new clip of a player's match into the render queue.
 * @returns its id
 * @throws ApiError 404 for a match that is not his, 400 for a wrong choice of highlights, 409 when the match cannot give
 * clips (yet, or any more), 429 when three of his clips wait or are being rendered
 */
export async function createClip(
  services: Services,
  user: User,
  matchId: string,
  request: CreateClip,
): Promise<number> {
  const match = await ownMatch(services, user.id, matchId);
  if (!match) throw ApiError.notFound("Match not found");
  const chosen = [...new Set(request.highlight_ids)];
  if (chosen.length === 0) throw ApiError.field("highlight_ids", "Select at least one highlight.");
  if (chosen.length > limits.highlightsPerClip) {
    throw ApiError.field("highlight_ids", `A clip can show at most ${limits.highlightsPerClip} highlights.`);
  }
  if (match.status !== "completed" || !match.demo_sha256) {
    throw new ApiError(409, "match_not_ready", "The import of this match is not finished yet.");
  }
  const demo = await services.database
    .selectFrom("demos")
    .selectAll()
    .where("sha256", "=", match.demo_sha256)
    .executeTakeFirst();
  if (!demo?.track_key) {
    throw new ApiError(
      409,
      "match_data_deleted",
      "The replay data of this match has been deleted, so no new clips can be made of it.",
    );
  }
  const found = await services.database
    .selectFrom("highlights")
    .selectAll()
    .where("demo_sha256", "=", demo.sha256)
    .where("id", "in", chosen)
    .execute();
  const highlights = chosen.flatMap((id) => found.find((row) => row.id === id) ?? []);
  if (highlights.length < chosen.length) {
    throw ApiError.field("highlight_ids", "A selected highlight does not belong to this match.");
  }
  const name = cleanClipName(request.name) || defaultName(highlights, demo);
  // The watermark is a locked option: whatever a request says, it stays off.
  const settings = { ...request.render_settings, watermark: false };
  const height = services.config.CLIP_HEIGHT;
  const spec = buildClipSpec(demo.timing, highlights.map(storedHighlight), settings, {
    title: name,
    width: (height * 16) / 9,
    height,
    fps: framesPerSecond,
  });
  try {
    return await services.database.transaction().execute(async (transaction) => {
      const clipId = await insertInFreeSlot(transaction, {
        user_id: user.id,
        match_id: match.id,
        demo_sha256: demo.sha256,
        name,
        spec,
        settings,
        score: Math.max(...highlights.map((highlight) => highlight.score)),
        highlight_types: [...new Set(highlights.map((highlight) => highlight.type))],
      });
      await transaction
        .insertInto("clip_highlights")
        .values(highlights.map((highlight, position) => ({ clip_id: clipId, highlight_id: highlight.id, position })))
        .execute();
      await services.jobs.send("render", { clipId }, transaction);
      return clipId;
    });
  } catch (error) {
    // A foreign key: the match was deleted since it was looked up.
    if ((error as { code?: string }).code === "23503") throw ApiError.notFound("Match not found");
    throw error;
  }
}

interface NewClip {
  user_id: number;
  match_id: string;
  demo_sha256: string;
  name: string;
  spec: ClipSpec;
  settings: object;
  score: number;
  highlight_types: string[];
}

/**
 * Inserts a clip into one of the player's three places in the queue. Each place is tried for itself: a request that takes
 * it at the same moment makes this one wait, then fail over to the next.
 * @throws ApiError 429 when none is free
 */
async function insertInFreeSlot(transaction: Transaction<Database>, clip: NewClip): Promise<number> {
  const values = { ...clip, spec: JSON.stringify(clip.spec), settings: JSON.stringify(clip.settings) };
  for (let slot = 1; slot <= limits.clipsInQueuePerUser; slot++) {
    const inserted = await transaction
      .insertInto("clips")
      .values({ ...values, status: "queued", queue_slot: slot })
      .onConflict((conflict) => conflict.columns(["user_id", "queue_slot"]).doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) return inserted.id;
  }
  throw new ApiError(
    429,
    "queue_limit",
    `Queue limit reached. You can only have ${limits.clipsInQueuePerUser} clips in queue or processing at once.`,
  );
}

function defaultName(highlights: readonly HighlightRow[], demo: DemoRow): string {
  const inMatchOrder = [...highlights].sort((a, b) => a.start_tick - b.start_tick || a.id - b.id);
  return cleanClipName(
    clipName(
      inMatchOrder.map((row) => ({
        highlight_type: row.type,
        display_name: null,
        player_name: demo.players[row.player]?.name ?? "Unknown player",
        round_number: row.round,
        kills_count: row.kills_count,
      })),
      mapDisplayName(demo.map),
    ),
  );
}
