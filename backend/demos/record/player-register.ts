import { cleanPlayerName } from "../../../contract/clean-text.ts";
import type { PlayerIndex, RecordedPlayer, TeamIndex } from "../../../replay/match-record.ts";
import { type DemoEvent, textOf } from "./demo-events.ts";

type EventRole = "user" | "attacker" | "assister";

/** A bot that the demo names. The parser gives bots no identity in events, see decision 031. */
export interface KnownBot extends GivenName {
  team: TeamIndex;
}

/** A name as displayed, and whether the demo has another one, see `RecordedPlayer`. */
export interface GivenName extends Pick<RecordedPlayer, "name" | "hasOtherName"> {}

/** A bot that the demo does not name. */
export const namelessBot: GivenName = { name: "BOT", hasOtherName: true };

/** The players of a match: people by SteamID, whatever their slot or name at the time; bots by elimination. */
export class PlayerRegister {
  readonly players: RecordedPlayer[] = [];
  private readonly indexOfSteamId = new Map<string, PlayerIndex>();
  private readonly bots: [PlayerIndex[], PlayerIndex[]] = [[], []];
  /** The round to which the next two fields belong. */
  private botRound = -1;
  private readonly botsDown = new Set<PlayerIndex>();
  /** Bots that may be down: one died, but the demo does not tell of which roster. */
  private readonly botsPerhapsDown = new Set<PlayerIndex>();

  constructor(events: readonly DemoEvent[], teamOf: ReadonlyMap<string, TeamIndex>, bots: readonly KnownBot[]) {
    const names = lastNames(events);
    for (const steamId of teamOf.keys())
      if (!names.has(steamId)) names.set(steamId, { name: steamId, hasOtherName: true });
    const teamPlace = (steamId: string) => teamOf.get(steamId) ?? 2;
    const people = [...names].sort(([a], [b]) => teamPlace(a) - teamPlace(b));
    for (const [steamId, name] of people) {
      this.indexOfSteamId.set(steamId, this.players.length);
      this.players.push({ steamId, ...name, team: teamOf.get(steamId) ?? null, isBot: false });
    }
    for (const { team, ...name } of bots) this.addBot(team, name);
  }

  /** The person in an event's role; null for bots, the world and spectators. */
  personIn(event: DemoEvent, role: EventRole): PlayerIndex | null {
    return this.person(textOf(event, `${role}_steamid`));
  }

  person(steamId: string): PlayerIndex | null {
    return this.indexOfSteamId.get(steamId) ?? null;
  }

  botsOf(team: TeamIndex): readonly PlayerIndex[] {
    return this.bots[team];
  }

  /** The rosters with a bot of this name, as spelled in the demo. */
  rostersOfBot(name: string): TeamIndex[] {
    const given = givenName(name)?.name;
    return ([0, 1] as const).filter((team) => this.bots[team].some((bot) => this.players[bot]?.name === given));
  }

  get hasBots(): boolean {
    return this.bots[0].length + this.bots[1].length > 0;
  }

  /**
   * A bot of a roster that is still alive in the round, otherwise any bot of the roster, since bots respawn during warm-up. Adds a bot if
   * the roster has none.
   */
  livingBot(team: TeamIndex, round: number): PlayerIndex {
    this.turnToRound(round);
    const living = this.bots[team].filter((bot) => !this.botsDown.has(bot));
    const sure = living.find((bot) => !this.botsPerhapsDown.has(bot));
    return sure ?? living[0] ?? this.bots[team][0] ?? this.addBot(team, namelessBot);
  }

  isBotDown(bot: PlayerIndex, round: number): boolean {
    this.turnToRound(round);
    return this.botsDown.has(bot);
  }

  /** @param isSure false if it may have been a bot of the other roster */
  markBotDead(bot: PlayerIndex, round: number, isSure: boolean): void {
    this.turnToRound(round);
    (isSure ? this.botsDown : this.botsPerhapsDown).add(bot);
  }

  private turnToRound(round: number): void {
    if (round === this.botRound) return;
    this.botRound = round;
    this.botsDown.clear();
    this.botsPerhapsDown.clear();
  }

  private addBot(team: TeamIndex, name: GivenName): PlayerIndex {
    const index = this.players.length;
    this.players.push({ steamId: null, ...name, team, isBot: true });
    this.bots[team].push(index);
    return index;
  }
}

/** SteamIDs in order of appearance, each with its most recent name. */
function lastNames(events: readonly DemoEvent[]): Map<string, GivenName> {
  const names = new Map<string, GivenName>();
  for (const event of events) {
    for (const role of ["user", "attacker", "assister"] as const) {
      const steamId = textOf(event, `${role}_steamid`);
      const given = givenName(textOf(event, `${role}_name`));
      if (!isSteamId(steamId) || !given) continue;
      const before = names.get(steamId);
      const isRenamed = before && (before.hasOtherName || before.name !== given.name);
      names.set(steamId, isRenamed ? { ...given, hasOtherName: true } : given);
    }
  }
  return names;
}

/** @param name as in the demo @returns null when nothing is left after cleaning */
export function givenName(name: string): GivenName | null {
  const cleaned = cleanPlayerName(name);
  if (!cleaned) return null;
  return cleaned === name ? { name } : { name: cleaned, hasOtherName: true };
}

/** Bots have the SteamID 0. */
export function isSteamId(text: string): boolean {
  return /^\d{5,20}$/.test(text);
}
