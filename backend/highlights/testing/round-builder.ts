import type {
  MatchRecord,
  PlayerIndex,
  RecordedBombEvent,
  RecordedDamage,
  RecordedDeath,
  RecordedKill,
  RecordedPlayer,
  RecordedRound,
  RecordedShot,
  RoundEndReason,
  Side,
  TeamIndex,
} from "../../../replay/match-record.ts";

/**
 * Builds match records for tests from rounds in which things happen at seconds after freeze end. Players are named `a1`, `a2`, … (roster 0)
 * and `b1`, `b2`, … (roster 1).
 */
export class MatchBuilder {
  readonly #players: RecordedPlayer[] = [];
  readonly #ids: string[] = [];
  readonly #rounds: RecordedRound[] = [];
  readonly #kills: RecordedKill[] = [];
  readonly #deaths: RecordedDeath[] = [];
  readonly #shots: RecordedShot[] = [];
  readonly #damages: RecordedDamage[] = [];
  readonly #bomb: RecordedBombEvent[] = [];
  #nextTick = 1000;

  /** @param size players of each roster */
  constructor(size = 5) {
    for (const [team, letter] of ["a", "b"].entries()) {
      for (let number = 1; number <= size; number += 1) this.person(`${letter}${number}`, { team: team as TeamIndex });
    }
  }

  /** Adds a bot, a coach (team null) or a late joiner. */
  person(id: string, { team = null, isBot = false }: { team?: TeamIndex | null; isBot?: boolean } = {}): this {
    this.#ids.push(id);
    const steamId = isBot ? null : String(76561199999900000n + BigInt(this.#ids.length));
    this.#players.push({ steamId, name: id, team, isBot });
    return this;
  }

  index(id: string): PlayerIndex {
    const index = this.#ids.indexOf(id);
    if (index < 0) throw new Error(`There is no player ${id}.`);
    return index;
  }

  /** Adds the next round. */
  round(setup: RoundSetup, play: (round: RoundBuilder) => void = () => {}): this {
    const number = setup.number ?? this.#rounds.length + 1;
    const startTick = this.#nextTick;
    const freezeEndTick = startTick + 4 * 64;
    const endTick = freezeEndTick + (setup.seconds ?? 60) * 64;
    const sideOfA = setup.sideOfA ?? "T";
    const away = new Set((setup.away ?? []).map((id) => this.index(id)));
    const alive = (team: TeamIndex) =>
      [...this.#players.keys()].filter((index) => this.#players[index]?.team === team && !away.has(index));
    const round: RecordedRound = {
      number,
      startTick,
      freezeEndTick,
      endTick,
      officialEndTick: endTick + (setup.afterSeconds ?? 7) * 64,
      finished: setup.finished ?? true,
      winner: setup.winner === undefined || setup.winner === null ? null : setup.winner === "a" ? 0 : 1,
      reason: setup.reason ?? "unknown",
      sides: sideOfA === "T" ? ["T", "CT"] : ["CT", "T"],
      scoreBefore: setup.scoreBefore ?? [0, 0],
      overtime: setup.overtime ?? 0,
      aliveAtFreezeEnd: [alive(0), alive(1)],
    };
    this.#rounds.push(round);
    this.#nextTick = round.officialEndTick;
    play(
      new RoundBuilder(this, round, this.#players, {
        kills: this.#kills,
        deaths: this.#deaths,
        shots: this.#shots,
        damages: this.#damages,
        bomb: this.#bomb,
      }),
    );
    return this;
  }

  build(): MatchRecord {
    const last = this.#rounds.at(-1);
    const scoreOf = (team: TeamIndex) => (last?.scoreBefore[team] ?? 0) + (last?.winner === team ? 1 : 0);
    const byTick = <T extends { tick: number }>(events: T[]) => [...events].sort((a, b) => a.tick - b.tick);
    return {
      version: 1,
      map: "de_dust2",
      rawMap: "de_dust2",
      tickRate: 64,
      firstTick: 0,
      lastTick: this.#nextTick,
      gameMode: "Matchmaking",
      serverName: "",
      teams: [
        { name: "A", score: scoreOf(0), firstSide: "T" },
        { name: "B", score: scoreOf(1), firstSide: "CT" },
      ],
      players: [...this.#players],
      rounds: [...this.#rounds],
      kills: byTick(this.#kills),
      deaths: byTick(this.#deaths),
      shots: byTick(this.#shots),
      damages: byTick(this.#damages),
      blinds: [],
      bomb: byTick(this.#bomb),
      grenades: [],
    };
  }
}

export interface RoundSetup {
  number?: number;
  winner?: "a" | "b" | null;
  reason?: RoundEndReason;
  finished?: boolean;
  /** From freeze end to `round_end`. */
  seconds?: number;
  afterSeconds?: number;
  sideOfA?: Side;
  overtime?: number;
  scoreBefore?: [number, number];
  /** Not alive at freeze end. */
  away?: string[];
}

export interface KillSetup extends Partial<Omit<RecordedKill, "tick" | "attacker" | "victim">> {
  /** Whether the record contains the kill's bullet and damage. */
  traced?: boolean;
}

interface MatchEvents {
  kills: RecordedKill[];
  deaths: RecordedDeath[];
  shots: RecordedShot[];
  damages: RecordedDamage[];
  bomb: RecordedBombEvent[];
}

/** Builds one round. All times are seconds after freeze end. */
export class RoundBuilder {
  constructor(
    readonly match: MatchBuilder,
    readonly round: RecordedRound,
    readonly players: readonly RecordedPlayer[],
    readonly events: MatchEvents,
  ) {}

  tick(seconds: number): number {
    return this.round.freezeEndTick + Math.round(seconds * 64);
  }

  #side(player: PlayerIndex | null): Side | null {
    const team = player === null ? null : (this.players[player]?.team ?? null);
    return team === null ? null : this.round.sides[team];
  }

  /** A kill with its death and, by default, its bullet and damage. `by` null is the world or the bomb. */
  kill(seconds: number, by: string | null, on: string, { traced = true, ...kill }: KillSetup = {}): this {
    const tick = this.tick(seconds);
    const attacker = by === null ? null : this.match.index(by);
    const victim = this.match.index(on);
    const weapon = kill.weapon ?? "ak47";
    this.events.kills.push({
      tick,
      round: this.round.number,
      attacker,
      victim,
      assister: null,
      attackerSide: this.#side(attacker),
      victimSide: this.#side(victim),
      weapon,
      headshot: false,
      penetrated: 0,
      noScope: false,
      throughSmoke: false,
      attackerInAir: false,
      attackerBlind: false,
      flashAssist: false,
      distance: 0,
      attackerControlsBot: false,
      victimPosition: null,
      attackerPosition: null,
      ...kill,
    });
    if (traced && by !== null) this.shot(seconds, by, weapon).hurt(seconds, by, on, 100, 0, weapon);
    const cause = by === null ? (weapon === "planted_c4" ? "bomb" : "world") : by === on ? "suicide" : "kill";
    return this.#death(tick, victim, cause);
  }

  leave(seconds: number, id: string): this {
    return this.#death(this.tick(seconds), this.match.index(id), "disconnect");
  }

  /** A death without a kill event. */
  death(seconds: number, id: string, cause: RecordedDeath["cause"]): this {
    return this.#death(this.tick(seconds), this.match.index(id), cause);
  }

  #death(tick: number, player: PlayerIndex, cause: RecordedDeath["cause"]): this {
    this.events.deaths.push({ tick, round: this.round.number, player, cause });
    return this;
  }

  shot(seconds: number, id: string, weapon = "ak47", more: Partial<RecordedShot> = {}): this {
    this.events.shots.push({ tick: this.tick(seconds), player: this.match.index(id), weapon, yaw: null, ...more });
    return this;
  }

  /** Marks a bot's death with unknown roster. */
  loseTrack(): this {
    this.round.unclearLives = true;
    return this;
  }

  hurt(seconds: number, by: string | null, on: string, health: number, healthAfter: number, weapon = "ak47"): this {
    const attacker = by === null ? null : this.match.index(by);
    const victim = this.match.index(on);
    this.events.damages.push({
      tick: this.tick(seconds),
      attacker,
      victim,
      weapon,
      health,
      armor: 0,
      healthAfter,
      hitGroup: "chest",
    });
    return this;
  }

  defuse(seconds: number, id: string): this {
    this.events.bomb.push({
      tick: this.tick(seconds),
      kind: "defused",
      player: this.match.index(id),
      site: "A",
      hasKit: false,
      position: null,
    });
    return this;
  }
}
