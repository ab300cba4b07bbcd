import { float64At } from "../replay/checked-reads.ts";
import type { ClipSegment } from "../replay/clip-spec.ts";
import { firstIndexWhere } from "../replay/first-index.ts";
import { joinedWindow } from "../replay/joined-window.ts";
import type {
  MatchRecord,
  PlayerIndex,
  RecordedBlind,
  RecordedBombEvent,
  RecordedDamage,
  RecordedGrenade,
  RecordedKill,
  RecordedRound,
  RecordedShot,
  Side,
} from "../replay/match-record.ts";
import type { PlayerSamples, ReplayTrack, TrackWindow } from "../replay/replay-track.ts";
import { type PlayerState, stateAt } from "../replay/sample-track.ts";
import { placeAt } from "./places.ts";

/** Events this long before a segment still matter: kills in the feed, trails, a smoke's last seconds. */
const memorySeconds = 8;

/** Everything that happens in one segment, selected from the match once, in tick order. */
export class SegmentTimeline {
  readonly segment: ClipSegment;
  readonly record: MatchRecord;
  readonly round: RecordedRound | null;
  readonly tickRate: number;
  /** Side of every player of the match in this round; null for those who do not play in it. */
  readonly sides: readonly (Side | null)[];
  /** Players of the round. */
  readonly roster: readonly PlayerIndex[];
  readonly kills: readonly RecordedKill[];
  readonly shots: readonly RecordedShot[];
  readonly damages: readonly RecordedDamage[];
  readonly blinds: readonly RecordedBlind[];
  readonly grenades: readonly RecordedGrenade[];
  readonly bomb: readonly RecordedBombEvent[];
  readonly #track: ReplayTrack;
  readonly #window: TrackWindow | null;
  readonly #deathTicks: Float64Array;
  readonly #deathStates: (PlayerState | null)[];

  constructor(track: ReplayTrack, segment: ClipSegment) {
    const { record } = track;
    this.segment = segment;
    this.record = record;
    this.tickRate = record.tickRate;
    this.round = record.rounds.find((round) => round.number === segment.round) ?? null;
    this.#track = track;
    this.#window = joinedWindow(track, segment) ?? nearestWindow(track, segment);
    const { round } = this;
    this.sides = record.players.map((player) => (player.team === null ? null : (round?.sides[player.team] ?? null)));
    this.roster = record.players
      .map((_, player) => player)
      .filter((player) => this.sides[player] !== null && this.#window?.players[player]);

    const from = Math.max(
      segment.startTick - memorySeconds * this.tickRate,
      round?.startTick ?? Number.NEGATIVE_INFINITY,
    );
    const until = segment.endTick;
    const isNear = (event: { tick: number }) => event.tick >= from && event.tick < until;
    this.kills = record.kills.filter(
      (kill) => kill.round === segment.round && kill.tick < until && kill.tick >= (round?.freezeEndTick ?? from),
    );
    this.shots = record.shots.filter(isNear);
    this.damages = record.damages.filter(isNear);
    this.blinds = record.blinds.filter(isNear);
    this.grenades = record.grenades.filter((grenade) => grenade.throwTick < until && grenade.expireTick >= from);
    this.bomb = record.bomb.filter((event) => event.tick >= (round?.startTick ?? from) && event.tick < until);

    this.#deathTicks = new Float64Array(record.players.length).fill(Number.POSITIVE_INFINITY);
    for (const death of record.deaths) {
      if (round && death.round === round.number) this.#deathTicks[death.player] = death.tick;
    }
    this.#deathStates = record.players.map((_, player) => {
      const tick = float64At(this.#deathTicks, player);
      if (tick === Number.POSITIVE_INFINITY || !this.#window) return null;
      const state = stateAt(this.#window, player, tick - this.#window.tickStep);
      const place = this.kills.find((kill) => kill.victim === player)?.victimPosition;
      return state && place ? { ...state, x: place[0], y: place[1], z: place[2], alive: false, health: 0 } : state;
    });
  }

  /** State of a player at a tick: after death, where they died; null if they are absent. */
  state(player: PlayerIndex, tick: number): PlayerState | null {
    if (tick >= float64At(this.#deathTicks, player)) return this.#deathStates[player] ?? null;
    return this.#window ? stateAt(this.#window, player, tick) : null;
  }

  isAlive(player: PlayerIndex, tick: number): boolean {
    if (tick >= float64At(this.#deathTicks, player)) return false;
    return this.state(player, tick)?.alive ?? false;
  }

  /**
   * A player's samples, the ticks between two of them, and the (fractional) index of a tick in them, for what needs many positions
   * at once.
   */
  samples(player: PlayerIndex, tick: number): { samples: PlayerSamples; tickStep: number; index: number } | null {
    const samples = this.#window?.players[player];
    if (!samples || !this.#window) return null;
    const { startTick, tickStep } = this.#window;
    return { samples, tickStep, index: (tick - startTick) / tickStep };
  }

  /** The name of a part of the map; null if the track has none. */
  placeAt([x, y, z]: readonly [number, number, number]): string | null {
    return placeAt(this.#track.footprints, { x, y, z });
  }

  deathTick(player: PlayerIndex): number {
    return float64At(this.#deathTicks, player);
  }

  /** Whether two players fight on the same side. */
  isTeammate(a: PlayerIndex, b: PlayerIndex): boolean {
    return this.sides[a] !== null && this.sides[a] === this.sides[b];
  }
}

/** The window that covers most of the segment; the nearest when none does. */
function nearestWindow(track: ReplayTrack, segment: ClipSegment): TrackWindow | null {
  let best: TrackWindow | null = null;
  let bestOverlap = Number.NEGATIVE_INFINITY;
  for (const window of track.windows) {
    const overlap = Math.min(window.endTick, segment.endTick) - Math.max(window.startTick, segment.startTick);
    if (overlap > bestOverlap) {
      best = window;
      bestOverlap = overlap;
    }
  }
  return best;
}

/** Index of the first event at or after a tick, in a list in tick order. */
export function firstAtOrAfter(events: readonly { tick: number }[], tick: number): number {
  return firstIndexWhere(events, (event) => event.tick >= tick);
}
