import type { PlayerIndex, RecordedBombEvent, RecordedRound } from "../../../replay/match-record.ts";
import { type DemoEvent, flagOf, numberOf, positionOf, textOf } from "./demo-events.ts";
import type { PlayerRegister } from "./player-register.ts";

const kinds: Record<string, RecordedBombEvent["kind"]> = {
  bomb_beginplant: "plant_begin",
  bomb_abortplant: "plant_abort",
  bomb_planted: "planted",
  bomb_begindefuse: "defuse_begin",
  bomb_abortdefuse: "defuse_abort",
  bomb_defused: "defused",
  bomb_exploded: "exploded",
  bomb_dropped: "dropped",
  bomb_pickup: "picked_up",
};

/** A carrier found in the inventories at the end of a round's freeze time. */
export interface BombCarrier {
  round: number;
  player: PlayerIndex;
}

/**
 * What happened to the bomb, in tick order. Everything after a plant has the place of the plant.
 * @param carriers for round starts without a pick-up event in the demo
 */
export function recordBomb(
  events: readonly DemoEvent[],
  rounds: readonly RecordedRound[],
  register: PlayerRegister,
  carriers: readonly BombCarrier[],
): RecordedBombEvent[] {
  const bombEvents = events.filter((event) => event.event_name in kinds);
  const siteNames = lettersOfSites(bombEvents);
  let planted: Pick<RecordedBombEvent, "site" | "position"> = { site: null, position: null };
  let defuseKit = false;
  const bomb = bombEvents.map((event): RecordedBombEvent => {
    const kind = kinds[event.event_name]!;
    const site = siteNames.get(numberOf(event, "site") ?? -1) ?? null;
    const position = positionOf(event, "user");
    if (kind === "planted") planted = { site, position };
    if (kind === "defuse_begin") defuseKit = flagOf(event, "haskit");
    const afterPlant = kind.startsWith("defuse") || kind === "exploded";
    return {
      tick: event.tick,
      kind,
      player: register.personIn(event, "user"),
      site: site ?? (afterPlant ? planted.site : null),
      hasKit: (kind === "defuse_begin" || kind === "defused" || kind === "defuse_abort") && defuseKit,
      position: afterPlant ? (planted.position ?? position) : position,
    };
  });
  return [...bomb, ...missingPickUps(bomb, rounds, carriers)].sort((a, b) => a.tick - b.tick);
}

/**
 * The letter of each bomb site's entity: from the place names of players who plant there ("BombsiteA"), otherwise from the zone number in
 * the pawn (1 is A, 2 is B). The entity number alone says nothing.
 */
function lettersOfSites(bombEvents: readonly DemoEvent[]): Map<number, "A" | "B"> {
  const votes = new Map<number, number>();
  for (const event of bombEvents) {
    const site = numberOf(event, "site");
    if (site === null) continue;
    const place = /^bombsite([ab])$/i.exec(textOf(event, "user_last_place_name"))?.[1]?.toUpperCase();
    const zone = numberOf(event, "user_which_bomb_zone");
    const letter = place ?? (zone === 1 ? "A" : zone === 2 ? "B" : null);
    if (letter) votes.set(site, (votes.get(site) ?? 0) + (letter === "A" ? 1 : -1));
  }
  const letters = new Map<number, "A" | "B">();
  for (const [site, vote] of votes) if (vote !== 0) letters.set(site, vote > 0 ? "A" : "B");
  return letters;
}

/**
 * Adds a pick-up at the start of every round that has none in the demo: by whoever has the bomb in their inventory at the end of freeze
 * time, otherwise by the first to drop or plant it.
 */
function missingPickUps(
  bomb: readonly RecordedBombEvent[],
  rounds: readonly RecordedRound[],
  carriers: readonly BombCarrier[],
): RecordedBombEvent[] {
  return rounds.flatMap((round) => {
    const first = bomb.find((event) => event.tick >= round.startTick && event.tick <= round.endTick);
    if (first?.kind === "picked_up" && first.tick <= round.freezeEndTick) return [];
    const parted = first && (first.kind === "dropped" || first.kind.startsWith("plant")) ? first.player : null;
    const player = carriers.find((carrier) => carrier.round === round.number)?.player ?? parted;
    if (player === null) return [];
    return [{ tick: round.startTick, kind: "picked_up", player, site: null, hasKit: false, position: null } as const];
  });
}
