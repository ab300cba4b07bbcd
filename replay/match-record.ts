/**
 * The match record: what happened in one demo, in the game's terms, independent of any parser.
 * Written by `backend/demos`, read by `backend/highlights`, `backend/clips` and `scene`.
 *
 * Units: ticks are demo ticks (64 a second unless `tickRate` says otherwise); positions are world units; angles degrees.
 * Players are always referred to by their index in `players`: bots have no SteamID, and names and slots change.
 */

export type Side = "T" | "CT";

/** Index into `MatchRecord.players`. */
export type PlayerIndex = number;

/** Index into `MatchRecord.teams`: the roster, which keeps its players when sides swap. */
export type TeamIndex = 0 | 1;

export interface RecordedPlayer {
  /** SteamID64 as a string (as a JSON number it loses digits); null for a bot. */
  steamId: string | null;
  /** The last name seen. Untrusted text. */
  name: string;
  /** Roster; null for coaches, spectators and people who never joined a side. */
  team: TeamIndex | null;
  isBot: boolean;
  /** `name` is not the demo's own: it was cleaned, cut or made up, or the player changed it during the recording. */
  hasOtherName?: true;
}

export interface RecordedTeam {
  /** Clan name, or "" when the demo has none. */
  name: string;
  /** Rounds won at the end of the recording. */
  score: number;
  /** The side of the first counted round. */
  firstSide: Side;
}

export type RoundEndReason =
  | "target_bombed"
  | "bomb_defused"
  | "t_eliminated_ct"
  | "ct_eliminated_t"
  | "time_ran_out"
  | "hostages_rescued"
  | "hostages_not_rescued"
  | "t_surrendered"
  | "ct_surrendered"
  | "draw"
  | "unknown";

export interface RecordedRound {
  /** 1-based, counted after warm-up, knife round and restarts. */
  number: number;
  startTick: number;
  freezeEndTick: number;
  /** Tick of `round_end`, or of the last packet if the recording stops in the round. */
  endTick: number;
  /** Tick of `round_officially_ended`, or of the next start, or of the last packet. */
  officialEndTick: number;
  /** False when the recording stopped before the round was decided. */
  finished: boolean;
  /** null when unfinished or a draw. */
  winner: TeamIndex | null;
  reason: RoundEndReason;
  /** The side each roster plays in this round. */
  sides: [Side, Side];
  /** Score of both rosters before this round. */
  scoreBefore: [number, number];
  /** 0 in regulation, 1 for the first overtime, and so on. */
  overtime: number;
  /** Players alive at freeze end, by roster. */
  aliveAtFreezeEnd: [PlayerIndex[], PlayerIndex[]];
  /** A bot died whose roster the demo does not reveal, so nobody knows who was left. */
  unclearLives?: true;
  /** Somebody respawned, so a kill did not put its victim out of the round. */
  respawns?: true;
}

export interface RecordedKill {
  tick: number;
  /** Round number, 0 outside every counted round (warm-up, knife round, between rounds). */
  round: number;
  /** null: the world, a fall, the bomb. */
  attacker: PlayerIndex | null;
  victim: PlayerIndex;
  assister: PlayerIndex | null;
  /** Side at that tick; null when unknown or no attacker. */
  attackerSide: Side | null;
  victimSide: Side | null;
  /** Event name without `weapon_`: `ak47`, `knife_t`, `inferno`, `planted_c4`, `world`… */
  weapon: string;
  headshot: boolean;
  /** Objects the bullet went through. */
  penetrated: number;
  noScope: boolean;
  throughSmoke: boolean;
  attackerInAir: boolean;
  attackerBlind: boolean;
  flashAssist: boolean;
  /** Metres; 0 when the demo does not say. */
  distance: number;
  /** The attacker controls a bot (take-over): the kill counts for them. */
  attackerControlsBot: boolean;
  /** World position of the victim; null when the demo does not say. */
  victimPosition: [number, number, number] | null;
  attackerPosition: [number, number, number] | null;
}

/** Every way to stop being alive, including disconnects and changes of team; clutches are judged by these. */
export interface RecordedDeath {
  tick: number;
  round: number;
  player: PlayerIndex;
  /** Who leaves their team alive is like who leaves the server. */
  cause: "kill" | "suicide" | "world" | "bomb" | "disconnect";
}

export interface RecordedShot {
  tick: number;
  player: PlayerIndex;
  weapon: string;
  /** Eye yaw in degrees at that tick, when known. */
  yaw: number | null;
  /** The shooter had taken over a bot. */
  controlsBot?: true;
}

export interface RecordedDamage {
  tick: number;
  attacker: PlayerIndex | null;
  victim: PlayerIndex;
  weapon: string;
  /** Health points taken (not capped by what the victim had). */
  health: number;
  armor: number;
  healthAfter: number;
  hitGroup: string;
}

export interface RecordedBlind {
  tick: number;
  attacker: PlayerIndex | null;
  victim: PlayerIndex;
  seconds: number;
}

export interface RecordedBombEvent {
  tick: number;
  kind:
    | "plant_begin"
    | "plant_abort"
    | "planted"
    | "defuse_begin"
    | "defuse_abort"
    | "defused"
    | "exploded"
    | "dropped"
    | "picked_up";
  player: PlayerIndex | null;
  site: "A" | "B" | null;
  hasKit: boolean;
  position: [number, number, number] | null;
}

export type GrenadeKind = "smoke" | "flash" | "he" | "molotov" | "incendiary" | "decoy";

export interface RecordedGrenade {
  kind: GrenadeKind;
  thrower: PlayerIndex | null;
  throwTick: number;
  /** Detonation, or start of smoke or fire; the last seen tick when it never went off. */
  detonateTick: number;
  /** End of smoke, fire or decoy; equals `detonateTick` for flash and HE. */
  expireTick: number;
  /** Path as [tick, x, y, z], from the hand to where it lands. At least one point. */
  path: [number, number, number, number][];
}

export interface MatchRecord {
  version: 1;
  /** `readingVersion` of `backend/demos` with which the demo was read; absent in older records. */
  reading?: number;
  /** Internal name without folder: `de_mirage`. */
  map: string;
  /** As the demo names it, e.g. `workshop/123/de_foo`. */
  rawMap: string;
  tickRate: number;
  firstTick: number;
  lastTick: number;
  /** Raw value as in the specification: Matchmaking, Matchmaking_Wingman, Matchmaking_Competitive, or other text unchanged. */
  gameMode: string;
  serverName: string;
  teams: [RecordedTeam, RecordedTeam];
  players: RecordedPlayer[];
  rounds: RecordedRound[];
  /** All kills in tick order, warm-up and knife rounds included (with round 0). */
  kills: RecordedKill[];
  deaths: RecordedDeath[];
  shots: RecordedShot[];
  damages: RecordedDamage[];
  blinds: RecordedBlind[];
  bomb: RecordedBombEvent[];
  grenades: RecordedGrenade[];
}
