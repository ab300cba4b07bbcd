import type { ExpressionBuilder, Transaction } from "kysely";
import { boundedLine } from "../../../contract/clean-text.ts";
import { customMoments } from "../../../contract/custom-moments.ts";
import { highlightLabel, highlightTypes } from "../../../contract/highlight-types.ts";
import type { Highlight } from "../../../contract/schemas/highlights.ts";
import type { MarkMoment } from "../../../contract/schemas/match-rounds.ts";
import { knownWeapon } from "../../../contract/weapons.ts";
import type { MatchRecord, PlayerIndex, RecordedRound } from "../../../replay/match-record.ts";
import type { TrackOutline } from "../../../replay/track-outline.ts";
import { countedKills, killMoment } from "../../highlights/counted-kills.ts";
import type { HighlightMoment } from "../../highlights/highlight.ts";
import { deleteUnclipped } from "../../matches/clipped-highlights.ts";
import { forgetStills } from "../../matches/forget-stills.ts";
import { ownMatch } from "../../matches/own-match.ts";
import { profilesOfPlayers } from "../../matches/player-profiles.ts";
import { presentHighlight } from "../../matches/present-highlight.ts";
import { Refusal } from "../../refusal.ts";
import type { Services } from "../../services.ts";
import type { Database, HighlightRow, User } from "../../storage/schema.ts";
import { finishedAndListed } from "../lists/visible-clips.ts";
import { sendStillsJob } from "./moment-stills.ts";
import { readStoredOutline } from "./stored-outline.ts";

/** Below every detected score: a moment marked by hand is never among the best. */
const customScore = -1;
/** Name of a moment whose maker gave it none. */
const unnamedMoment = "Custom Moment";
/** Addresses and forms round seconds. */
const slackSeconds = 0.06;

const { min: shortest, max: longest } = customMoments.seconds;
const wrongLength = `A moment lasts from ${shortest} to ${longest} seconds.`;

/**
 * Stores a moment that a player marked by hand as a highlight of the match, for everybody who has it; a job draws its still. Decision 134.
 * @throws Refusal for a match that is not theirs or not imported, for a moment that its recording does not have, and when the match
 *   has as many as it can
 */
export async function markMoment(
  services: Services,
  user: User,
  matchId: string,
  request: MarkMoment,
): Promise<Highlight> {
  const match = await ownMatch(services, user.id, matchId);
  if (!match) throw Refusal.notFound("Match not found");
  const sha256 = match.demo_sha256;
  if (match.status !== "completed" || !sha256) {
    throw new Refusal("match_not_ready", "The import of this match is not finished yet.");
  }
  const { database } = services;
  const demo = await database.selectFrom("demos").selectAll().where("sha256", "=", sha256).executeTakeFirst();
  const outline = demo?.track_key ? await readStoredOutline(services, demo.track_key, user.id) : null;
  if (!demo || !outline) {
    throw new Refusal("match_data_deleted", "The replay of this match is no longer kept, so no moment can be marked.");
  }
  const columns = momentColumns(outline, request);
  const row = await database.transaction().execute(async (transaction) => {
    // Reading the track takes a while: the match, or its player's account, may be deleted by now.
    const held = transaction.selectFrom("matches").select("id").where("id", "=", match.id).forKeyShare();
    if (!(await held.executeTakeFirst())) throw Refusal.notFound("Match not found");
    // Locked until the end, so that the second of two simultaneous requests counts the moment of the first.
    await transaction.selectFrom("demos").select("sha256").where("sha256", "=", sha256).forUpdate().execute();
    const marked = await transaction
      .selectFrom("highlights")
      .select("made_by")
      .where("demo_sha256", "=", sha256)
      .where("type", "=", "custom")
      .where("is_listed", "=", true)
      .execute();
    if (marked.filter(({ made_by: maker }) => maker === user.id).length >= customMoments.perPlayer) {
      throw new Refusal(
        "moment_limit",
        `You have marked ${customMoments.perPlayer} moments of this match, which is as many as one can. Remove one first.`,
      );
    }
    if (marked.length >= customMoments.perMatch) {
      throw new Refusal(
        "moment_limit",
        `${customMoments.perMatch} moments of this match are marked, which is as many as one can have.`,
      );
    }
    const isAsked = await sendStillsJob(services, { sha256, ownerId: user.id }, transaction);
    return transaction
      .insertInto("highlights")
      .values({ ...columns, demo_sha256: sha256, made_by: user.id, still_tried_at: isAsked ? services.now() : null })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return presentHighlight(row as HighlightRow, demo.players, await profilesOfPlayers(services, [demo.players]));
}

/**
 * Removes a moment that the player marked. If unlisted clips of others show it, of which the player must not learn, it stays for those clips
 * alone.
 * @throws Refusal when it is not theirs, and while a clip shows it that is theirs or public
 */
export async function removeMoment(
  services: Services,
  user: User,
  matchId: string,
  highlightId: number,
): Promise<void> {
  const match = await ownMatch(services, user.id, matchId);
  const stills = await services.database.transaction().execute(async (transaction) => {
    // Waits for a clip that is being created of it.
    const row = match?.demo_sha256
      ? await transaction
          .selectFrom("highlights")
          .select("id")
          .where("id", "=", highlightId)
          .where("demo_sha256", "=", match.demo_sha256)
          .where("type", "=", "custom")
          .where("made_by", "=", user.id)
          .forUpdate()
          .executeTakeFirst()
      : undefined;
    if (!row) throw Refusal.notFound("There is no such moment of yours");
    const used = await transaction
      .selectFrom("clips")
      .innerJoin("clip_highlights", "clip_highlights.clip_id", "clips.id")
      .select("user_id")
      .where("highlight_id", "=", highlightId)
      .where(isKnownTo(user.id))
      .execute();
    if (used.length > 0) {
      const isOwn = used.some(({ user_id: ownerId }) => ownerId === user.id);
      const whose = isOwn ? "A clip of yours" : "Another player's clip";
      throw new Refusal(
        "highlight_in_use",
        `${whose} shows this moment, so it stays.${isOwn ? " Delete the clip first." : ""}`,
      );
    }
    return letGo(transaction, [highlightId]);
  });
  for (const key of stills) await services.blobs.delete(key);
}

/**
 * Deletes moments; those that a clip shows stay for that clip alone. The caller has locked their rows.
 * @returns keys of their stills, as `forgetStills`
 */
async function letGo(transaction: Transaction<Database>, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const stills = await forgetStills(transaction, { ids });
  await deleteUnclipped(transaction, ids);
  // Nothing of its maker is left: neither the name they typed nor that it was theirs.
  await transaction
    .updateTable("highlights")
    .set({ name: unnamedMoment, made_by: null, is_listed: false })
    .where("id", "in", ids)
    .execute();
  return stills;
}

/**
 * Removes the moments of a player whose account is deleted, since nobody could remove them afterwards. Moments in other players' clips stay
 * for those alone: they are in no list and do not count towards the match's limit.
 * @returns keys of their stills, as `forgetStills`
 */
export async function takeMomentsAway(transaction: Transaction<Database>, userId: number): Promise<string[]> {
  // Waits for clips that are being created of them.
  const rows = await transaction
    .selectFrom("highlights")
    .select("id")
    .where("made_by", "=", userId)
    .forUpdate()
    .execute();
  return letGo(
    transaction,
    rows.map(({ id }) => id),
  );
}

/** Moments of a demo that a player marked and may remove. */
export async function removableMoments({ database }: Services, user: User, sha256: string): Promise<number[]> {
  const rows = await database
    .selectFrom("highlights")
    .select("id")
    .where("demo_sha256", "=", sha256)
    .where("type", "=", "custom")
    .where("made_by", "=", user.id)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("clips")
            .innerJoin("clip_highlights", "clip_highlights.clip_id", "clips.id")
            .select("clip_id")
            .whereRef("clip_highlights.highlight_id", "=", "highlights.id")
            .where(isKnownTo(user.id)),
        ),
      ),
    )
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Condition of a query on clips: the player's own and public ones. Players must not learn of other clips. */
function isKnownTo(userId: number) {
  return (clip: ExpressionBuilder<Database, "clips">) =>
    clip.or([clip("clips.user_id", "=", userId), finishedAndListed(clip)]);
}

/** @throws Refusal when the recording does not have the moment */
function momentColumns({ record, stretches }: TrackOutline, request: MarkMoment) {
  const { player, from, to } = request;
  const round = record.rounds.find(({ number }) => number === request.round);
  if (!round) throw Refusal.ofField("round", "This match has no such round.");
  const { steamId = null, team = null } = record.players[player] ?? {};
  if (steamId === null || team === null) throw Refusal.ofField("player", "Choose a player of this match.");
  const seconds = to - from;
  if (seconds < shortest - slackSeconds || seconds > longest + slackSeconds) throw Refusal.ofField("to", wrongLength);
  const startTick = Math.round(round.freezeEndTick + from * record.tickRate);
  const endTick = Math.min(
    Math.round(round.freezeEndTick + Math.min(to, from + longest) * record.tickRate),
    Math.floor(round.officialEndTick),
  );
  const slack = Math.ceil(slackSeconds * record.tickRate);
  const isRecorded = stretches.some((held) => held.startTick <= startTick && held.endTick + slack >= endTick);
  if (!isRecorded || endTick - startTick < (shortest - slackSeconds) * record.tickRate) {
    throw Refusal.ofField("from", "This part of the round is not recorded.");
  }
  const moments = momentsOf(record, round, player, { startTick, endTick });
  const kills = moments.filter(({ kind }) => kind === "kill").length;
  return {
    type: "custom" as const,
    round: round.number,
    player,
    score: customScore,
    kills_count: kills,
    reason: reasonOf(kills, seconds),
    start_tick: startTick,
    end_tick: endTick,
    moments: JSON.stringify(moments),
    is_listed: true,
    name: nameOf(request.name),
  };
}

/** What a clip of the moment dwells on: the player's kills and defuse. */
function momentsOf(
  record: MatchRecord,
  round: RecordedRound,
  player: PlayerIndex,
  { startTick, endTick }: { startTick: number; endTick: number },
): HighlightMoment[] {
  const isIn = ({ tick }: { tick: number }) => tick >= startTick && tick <= endTick;
  const all = countedKills(record, round);
  const kills = all
    .filter((kill) => kill.attacker === player && isIn(kill))
    .map((kill) => killMoment(kill, all))
    .map((moment) => ({ ...moment, weapon: knownWeapon(moment.weapon) }));
  const defuses = record.bomb
    .filter((event) => event.kind === "defused" && event.player === player && isIn(event))
    .map(({ tick }): HighlightMoment => ({ tick, kind: "defuse", weapon: "c4", flags: [], victim: null }));
  return [...kills, ...defuses].sort((a, b) => a.tick - b.tick);
}

function reasonOf(kills: number, seconds: number): string {
  const length = `${Math.round(seconds)} s`;
  return kills === 0
    ? `Marked by hand, ${length}`
    : `Marked by hand, ${kills} ${kills === 1 ? "kill" : "kills"} in ${length}`;
}

/** @throws Refusal for a name that looks like the type of a detected highlight */
function nameOf(given: string): string {
  const name = boundedLine(given, customMoments.nameCharacters);
  if (highlightTypes.some((type) => highlightLabel(type).toLowerCase() === name.toLowerCase())) {
    throw Refusal.ofField("name", "That is what a type of highlights is called. Choose another name.");
  }
  return name || unnamedMoment;
}
