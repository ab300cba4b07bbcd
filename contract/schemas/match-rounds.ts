import { z } from "zod";
import { customMoments } from "../custom-moments.ts";
import { demoLimits } from "../limits.ts";

const sideSchema = z.enum(["CT", "T"]);

/** A stretch of ticks, both ends inclusive. */
const tickSpanSchema = z.object({ start_tick: z.number(), end_tick: z.number() });

export const matchRoundSchema = tickSpanSchema.extend({
  number: z.int(),
  winner: sideSchema.nullable(),
  /** Before the round, CT first. */
  score: z.object({ ct: z.int(), t: z.int() }),
  kills: z.array(
    z.object({
      tick: z.number(),
      /** Indexes into `players`; null: the world, the bomb. */
      attacker: z.int().nullable(),
      victim: z.int(),
      victim_side: sideSchema.nullable(),
      weapon_name: z.string(),
      headshot: z.boolean(),
    }),
  ),
  bomb: z.array(z.object({ tick: z.number(), kind: z.enum(["planted", "defused", "exploded"]) })),
  /** What of it is recorded: of matches imported before whole rounds were, only what is around highlights. */
  recorded: z.array(tickSpanSchema),
});
export type MatchRound = z.infer<typeof matchRoundSchema>;

export const matchRoundsSchema = z.object({
  /** Ticks a second. */
  tick_rate: z.number(),
  players: z.array(z.object({ name: z.string(), steam_id: z.string().nullable(), team: z.int().nullable() })),
  rounds: z.array(matchRoundSchema),
  /** Path of the replay track; `&round=` for one round of it. */
  track_url: z.string(),
  /** Custom highlights that the caller marked and may take away again: no clip uses them that is their own or public. */
  removable_highlights: z.array(z.int()),
});
export type MatchRounds = z.infer<typeof matchRoundsSchema>;

export const matchAvatarsSchema = z.object({
  avatars: z.array(
    z.object({
      /** Index into `players` of the rounds call. */
      player: z.int(),
      type: z.enum(["image/jpeg", "image/png"]),
      /** At most 128 KB of it. */
      base64: z.string(),
    }),
  ),
});
export type MatchAvatars = z.infer<typeof matchAvatarsSchema>;

const longestRoundSeconds = 3600;
const roundSeconds = z.number().min(0).max(longestRoundSeconds);

export const markMomentSchema = z.object({
  round: z.int().min(1).max(demoLimits.rounds),
  /** Index into `players` of the rounds call: who is followed. */
  player: z
    .int()
    .min(0)
    .max(demoLimits.players - 1),
  /** Seconds since the round went live. */
  from: roundSeconds,
  to: roundSeconds,
  /** Empty for a generated one. */
  name: z
    .string()
    .max(8 * customMoments.nameCharacters)
    .default(""),
});
export type MarkMoment = z.infer<typeof markMomentSchema>;
