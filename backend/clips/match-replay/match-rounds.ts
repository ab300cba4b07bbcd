import { LRUCache } from "lru-cache";
import { boundedLine, cleanPlayerName } from "../../../contract/clean-text.ts";
import type { MatchRounds } from "../../../contract/schemas/match-rounds.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { weaponName } from "../../../contract/weapons.ts";
import type { MatchRecord, Side, TeamIndex } from "../../../replay/match-record.ts";
import type { TrackOutline } from "../../../replay/track-outline.ts";
import { ownMatch } from "../../matches/own-match.ts";
import { Refusal } from "../../refusal.ts";
import type { Services } from "../../services.ts";
import type { User } from "../../storage/schema.ts";
import { blobVersion } from "../read-clips.ts";
import { removableMoments } from "./custom-highlights.ts";
import { readStoredOutline } from "./stored-outline.ts";

/** By key of the track, which always names the same content. */
const known = new LRUCache<string, TrackRounds>({ max: 50 });

/** The part of the answer that is the same for every caller. */
type TrackRounds = Omit<MatchRounds, "track_url" | "removable_highlights">;

/** @throws Refusal for a match that is not the caller's, and when its replay data is deleted or not there yet */
export async function matchRounds(services: Services, user: User, matchId: string): Promise<MatchRounds> {
  const match = await ownMatch(services, user.id, matchId);
  if (!match) throw Refusal.notFound("Match not found");
  if (match.status !== "completed" || !match.demo_sha256) {
    throw new Refusal("match_not_ready", "The import of this match is not finished yet.");
  }
  const demo = await services.database
    .selectFrom("demos")
    .select("track_key")
    .where("sha256", "=", match.demo_sha256)
    .executeTakeFirst();
  const key = demo?.track_key;
  const found = key ? (known.get(key) ?? (await readRounds(services, key, user))) : null;
  if (!key || !found) {
    throw new Refusal("match_data_deleted", "The replay of this match is no longer kept, so it cannot be played.");
  }
  known.set(key, found);
  return {
    ...found,
    track_url: `/api/matches/${match.id}/track/?v=${blobVersion(key)}`,
    removable_highlights: await removableMoments(services, user, match.demo_sha256),
  };
}

async function readRounds(services: Services, key: string, { id }: User): Promise<TrackRounds | null> {
  const outline = await readStoredOutline(services, key, id);
  return outline && roundsOf(outline);
}

/** The rounds of a match as its page shows them. */
function roundsOf({ record, stretches }: TrackOutline): TrackRounds {
  const sideOf = (round: MatchRecord["rounds"][number], team: TeamIndex | null): Side | null =>
    team === null ? null : round.sides[team];
  return {
    tick_rate: record.tickRate,
    players: record.players.map(({ name, steamId, team }) => ({
      name: cleanPlayerName(name) || "Unknown player",
      steam_id: steamId,
      team,
    })),
    rounds: record.rounds.map((round) => {
      const span = { start_tick: round.freezeEndTick, end_tick: round.officialEndTick };
      const isIn = ({ tick }: { tick: number }) => tick >= span.start_tick && tick <= span.end_tick;
      const [first, second] = round.scoreBefore;
      return {
        ...span,
        number: round.number,
        winner: sideOf(round, round.winner),
        score: round.sides[0] === "CT" ? { ct: first, t: second } : { ct: second, t: first },
        kills: record.kills
          .filter((kill) => kill.round === round.number && isIn(kill))
          .map(({ tick, attacker, victim, victimSide, weapon, headshot }) => ({
            tick,
            attacker,
            victim,
            headshot,
            victim_side: victimSide,
            weapon_name: weaponName(boundedLine(weapon, textLimits.weapon)),
          })),
        bomb: record.bomb
          .filter(isIn)
          .flatMap(({ tick, kind }) =>
            kind === "planted" || kind === "defused" || kind === "exploded" ? { tick, kind } : [],
          ),
        recorded: stretches
          .filter(({ startTick, endTick }) => startTick <= span.end_tick && endTick >= span.start_tick)
          .map(({ startTick, endTick }) => ({
            start_tick: Math.max(startTick, span.start_tick),
            end_tick: Math.min(endTick, span.end_tick),
          })),
      };
    }),
  };
}
