import type { Selectable } from "kysely";
import { postTimeAdjustment, preTimeAdjustment } from "../../contract/clip-rules.ts";
import { renderSettingsSchema } from "../../contract/schemas/clips.ts";
import type { CreateClip } from "../../contract/schemas/create-clip.ts";
import { belongsToAllowed } from "../accounts/sign-in-allow.ts";
import { createClip } from "../clips/create/create-clip.ts";
import { distinctMoments } from "../highlights/distinct-moments.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import type { AutomationClipsTable, AutomationRow, DemoRow, HighlightRow, User } from "../storage/schema.ts";
import { outageOf } from "../waits/outage.ts";
import { aDayBefore, roomToday } from "./room-today.ts";

/** How many matches are taken further in one turn. */
const matchesAtOnce = 200;

/**
 * Takes matches further that were imported by themselves: when the import is done it writes down which highlights a clip is wanted of, and
 * puts those clips into the queue, as far as the player's limits allow. Each step is one transaction that finds what a former turn, or
 * another worker, has done. @returns how many clips were made
 */
export async function makeDueClips(services: Services): Promise<number> {
  await settleImports(services);
  return await makeWanted(services);
}

async function settleImports(services: Services): Promise<void> {
  const { database } = services;
  const imported = await database
    .selectFrom("automation_matches")
    .leftJoin("matches", "matches.id", "automation_matches.match_id")
    .where("automation_matches.state", "=", "importing")
    .select(["automation_matches.user_id", "provider_id", "matches.id", "matches.status", "matches.alias_of"])
    .where((row) => row.or([row("matches.id", "is", null), row("matches.status", "in", ["completed", "failed"])]))
    .limit(matchesAtOnce)
    .execute();
  for (const { user_id, provider_id, id, status, alias_of } of imported) {
    const row = { user_id, provider_id };
    try {
      if (status === "completed") await planClips(services, row, alias_of ?? id!);
      // A match that its player deleted meanwhile is not made again.
      else await settleMatch(services, row, status === "failed" ? "failed" : "done");
    } catch (error) {
      if (outageOf(error)) throw error;
      // Of this match alone.
      services.log.error({ err: error, ...row }, "no clips planned of a match for now");
    }
  }
}

type MatchKey = Pick<Selectable<AutomationClipsTable>, "user_id" | "provider_id">;

async function settleMatch(services: Services, key: MatchKey, state: "failed" | "done"): Promise<void> {
  await services.database
    .updateTable("automation_matches")
    .set({ state, changed_at: services.now() })
    .where("user_id", "=", key.user_id)
    .where("provider_id", "=", key.provider_id)
    .where("state", "in", ["importing", "making"])
    .execute();
}

/** Writes down the highlights of a match of which clips are wanted, the best first. */
async function planClips(services: Services, key: MatchKey, matchId: string): Promise<void> {
  const { database } = services;
  const automation = await database
    .selectFrom("automation")
    .innerJoin("users", "users.id", "automation.user_id")
    .selectAll("automation")
    .select("users.steam_id")
    .where("user_id", "=", key.user_id)
    .executeTakeFirst();
  const demo = await database
    .selectFrom("matches")
    .innerJoin("demos", "demos.sha256", "matches.demo_sha256")
    .select(["demos.sha256", "demos.players"])
    .where("matches.id", "=", matchId)
    .executeTakeFirst();
  if (!automation?.is_on || !demo) return settleMatch(services, key, "done");
  const found = await database
    .selectFrom("highlights")
    .select(["id", "player", "round", "score", "type", "start_tick", "end_tick"])
    .where("demo_sha256", "=", demo.sha256)
    .where("is_listed", "=", true)
    .where("type", "<>", "custom")
    .orderBy("score", "desc")
    .orderBy("id")
    .execute();
  const wanted = wantedHighlights(found, demo.players, automation, automation.steam_id);
  if (wanted.length === 0) return settleMatch(services, key, "done");
  await database.transaction().execute(async (transaction) => {
    const now = services.now();
    const { numUpdatedRows } = await transaction
      .updateTable("automation_matches")
      .set({ state: "making", match_id: matchId, changed_at: now })
      .where("user_id", "=", key.user_id)
      .where("provider_id", "=", key.provider_id)
      .where("state", "=", "importing")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await transaction
      .insertInto("automation_clips")
      .values(wanted.map(({ id }, place) => ({ ...key, highlight_id: id, place, wanted_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/**
 * The highlights a player wants clips of, of those of a match.
 * @param found the best first
 */
export function wantedHighlights<
  Found extends Pick<HighlightRow, "player" | "round" | "score" | "start_tick" | "end_tick">,
>(
  found: readonly Found[],
  players: DemoRow["players"],
  {
    choice,
    min_score,
    players: whose,
    clips_per_day,
  }: Pick<AutomationRow, "choice" | "min_score" | "players" | "clips_per_day">,
  steamId: string,
): Found[] {
  const own = players.find(({ steam_id }) => steam_id === steamId);
  if (!own) return [];
  const isWanted = ({ player }: Found) => {
    const by = players[player];
    return whose === "me" ? by === own : by !== undefined && (by === own || (by.team !== null && by.team === own.team));
  };
  const wanted = found.filter(
    (highlight) => isWanted(highlight) && (choice === "best" || highlight.score >= min_score),
  );
  return distinctMoments(wanted, choice === "best" ? 1 : clips_per_day);
}

/** This turn makes no more for this player. */
class NotNowError extends Error {}
/** Another worker made it, or it was switched off. */
class AlreadySettledError extends Error {}

/** The player after whom this process goes on: matches that wait for room, however many, keep no other player's from their turn. */
const lastPlayers = new WeakMap<Services["database"], number>();

async function makeWanted(services: Services): Promise<number> {
  const { database } = services;
  const open = await database
    .selectFrom("automation_matches")
    .select(["user_id", "provider_id", "match_id"])
    .where("state", "=", "making")
    .where(belongsToAllowed(services.config, "user_id"))
    .where("user_id", ">", lastPlayers.get(database) ?? 0)
    .orderBy("user_id")
    .orderBy("found_at")
    .limit(matchesAtOnce)
    .execute();
  lastPlayers.set(database, open.length < matchesAtOnce ? 0 : open.at(-1)!.user_id);
  let made = 0;
  const full = new Set<number>();
  for (const match of open) {
    if (full.has(match.user_id)) continue;
    const { clips, end } = await makeOfMatch(services, match);
    made += clips;
    if (end === "done") await settleMatch(services, match, "done");
    if (end === "no room") full.add(match.user_id);
  }
  return made;
}

interface MadeOfMatch {
  clips: number;
  /** Why no more are made of the match in this turn: none are left, the player has no room for one, or something went wrong. */
  end: "done" | "no room" | "failed";
}

async function makeOfMatch(services: Services, match: MatchKey & { match_id: string | null }): Promise<MadeOfMatch> {
  const { database } = services;
  const key = { user_id: match.user_id, provider_id: match.provider_id };
  const wanted = await database
    .selectFrom("automation_clips")
    .innerJoin("highlights", "highlights.id", "automation_clips.highlight_id")
    .select(["highlight_id", "wanted_at", "type", "kills_count"])
    .where("user_id", "=", key.user_id)
    .where("provider_id", "=", key.provider_id)
    .where("made_at", "is", null)
    .orderBy("place")
    .execute();
  const user = await database.selectFrom("users").selectAll().where("id", "=", key.user_id).executeTakeFirst();
  let clips = 0;
  for (const highlight of wanted) {
    // What found no room in a day is let go: the next day's matches would wait behind it.
    if (match.match_id === null || !user || highlight.wanted_at < aDayBefore(services.now())) break;
    try {
      if (await makeClip(services, user, match.match_id, key, highlight)) clips++;
    } catch (error) {
      if (error instanceof AlreadySettledError) continue;
      if (error instanceof NotNowError || (error instanceof Refusal && isForNow(error)))
        return { clips, end: "no room" };
      if (!(error instanceof Refusal)) {
        if (outageOf(error)) throw error;
        services.log.error({ err: error, ...key }, "no clip of a highlight for now");
        return { clips, end: "failed" };
      }
      // Deleted, detected anew, or without a recording: this one cannot be made any more.
      services.log.info({ err: error, ...key }, "no clip of a highlight");
    }
  }
  return { clips, end: "done" };
}

/** A place comes free, and so may storage: its player is told (`roomProblem`), and has until the wish is a day old. */
const isForNow = ({ code }: Refusal) => code === "queue_limit" || code === "match_not_ready" || code === "disk_quota";

type WantedHighlight = Pick<HighlightRow, "type" | "kills_count"> & { highlight_id: number };

/** What a player would send who pressed for this clip. */
export function automaticRequest(
  automation: AutomationRow,
  { highlight_id, type, kills_count }: WantedHighlight,
): CreateClip {
  const kind = { highlight_type: type, kills_count };
  const times = { pre_time_adjustment: preTimeAdjustment, post_time_adjustment: postTimeAdjustment([kind]) };
  return {
    name: "",
    highlight_ids: [highlight_id],
    render_settings: renderSettingsSchema.parse({ ...automation.settings, ...times }),
    reuse: true,
    visibility: automation.visibility,
    ...(automation.format && { format: automation.format }),
  };
}

/** @returns false when the player has such a clip already */
async function makeClip(
  services: Services,
  user: User,
  matchId: string,
  key: MatchKey,
  highlight: WantedHighlight,
): Promise<boolean> {
  const automation = await services.database
    .selectFrom("automation")
    .selectAll()
    .where("user_id", "=", user.id)
    .where("is_on", "=", true)
    .executeTakeFirst();
  if (!automation) throw new AlreadySettledError();
  const { isNew } = await createClip(services, user, matchId, automaticRequest(automation, highlight), {
    // The player's row is locked by then: two workers count one after the other.
    within: async (transaction, clipId) => {
      const now = services.now();
      const on = await transaction
        .selectFrom("automation")
        .select(["user_id", "clips_per_day"])
        .where("user_id", "=", user.id)
        .where("is_on", "=", true)
        .forShare()
        .executeTakeFirst();
      if (!on) throw new AlreadySettledError();
      if ((await roomToday(transaction, now, on)) < 1) throw new NotNowError();
      const { numUpdatedRows } = await transaction
        .updateTable("automation_clips")
        .set({ made_at: now, clip_id: clipId })
        .where("user_id", "=", key.user_id)
        .where("provider_id", "=", key.provider_id)
        .where("highlight_id", "=", highlight.highlight_id)
        .where("made_at", "is", null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new AlreadySettledError();
    },
  });
  return isNew;
}
