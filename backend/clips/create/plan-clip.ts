import { noHighlights, tooManyHighlights } from "../../../contract/clip-rules.ts";
import { limits } from "../../../contract/limits.ts";
import type { CreateClip } from "../../../contract/schemas/create-clip.ts";
import { ownMatch } from "../../matches/own-match.ts";
import { Refusal } from "../../refusal.ts";
import type { Services } from "../../services.ts";
import type { DemoRow, HighlightRow, MatchRow, User } from "../../storage/schema.ts";
import { defaultClipFormat } from "./default-clip-format.ts";
import { type PlannedSpec, planSpec } from "./plan-spec.ts";

/** Of another match, or found no more since the rules have changed. */
export const highlightNotListed = "A selected highlight is not one of this match, or no more. Load the page anew.";

/** Everything about a clip that can be said before it is rendered. */
export interface PlannedClip extends PlannedSpec {
  match: MatchRow;
  demo: DemoRow;
  /** In the order they were chosen. */
  highlights: HighlightRow[];
}

/**
 * Works out the clip that a player asks for, and writes nothing.
 * @throws Refusal for a match that is not theirs, for a wrong choice of highlights, when the match cannot give
 * clips, yet or any more
 */
export async function planClip(
  services: Services,
  user: Pick<User, "id">,
  matchId: string,
  request: CreateClip,
): Promise<PlannedClip> {
  const match = await ownMatch(services, user.id, matchId);
  if (!match) throw Refusal.notFound("Match not found");
  const chosen = [...new Set(request.highlight_ids)];
  if (chosen.length === 0) throw Refusal.ofField("highlight_ids", noHighlights);
  if (chosen.length > limits.highlightsPerClip) {
    throw Refusal.ofField("highlight_ids", tooManyHighlights);
  }
  if (match.status !== "completed" || !match.demo_sha256) {
    throw new Refusal("match_not_ready", "The import of this match is not finished yet.");
  }
  const demo = await services.database
    .selectFrom("demos")
    .selectAll()
    .where("sha256", "=", match.demo_sha256)
    .executeTakeFirst();
  if (!demo?.track_key) {
    throw new Refusal(
      "match_data_deleted",
      "The replay data of this match has been deleted, so no new clips can be made of it.",
    );
  }
  const found = await services.database
    .selectFrom("highlights")
    .selectAll()
    .where("demo_sha256", "=", demo.sha256)
    .where("is_listed", "=", true)
    .where("id", "in", chosen)
    .execute();
  const highlights = chosen.flatMap((id) => found.find((row) => row.id === id) ?? []);
  if (highlights.length < chosen.length) {
    throw Refusal.ofField("highlight_ids", highlightNotListed);
  }
  const format = request.format ?? defaultClipFormat(services.config);
  return { match, demo, highlights, ...planSpec(demo, highlights, { ...request, format }) };
}
