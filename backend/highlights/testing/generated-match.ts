import fc from "fast-check";
import type { MatchRecord } from "../../../replay/match-record.ts";
import { MatchBuilder, type RoundBuilder, type RoundSetup } from "./round-builder.ts";

const weapons = ["ak47", "awp", "deagle", "knife_t", "taser", "hegrenade", "inferno", "ssg08", "world"] as const;

const happening = fc.record({
  /** Eighths of a second, few enough that many events share a tick. */
  at: fc.integer({ min: -8, max: 260 }),
  kind: fc.constantFrom(
    "kill",
    "kill",
    "kill",
    "kill",
    "kill",
    "leave",
    "fall",
    "bomb",
    "shot",
    "hurt",
    "defuse",
    "sweep",
  ),
  by: fc.nat(),
  on: fc.nat(),
  weapon: fc.constantFrom(...weapons),
  headshot: fc.boolean(),
  penetrated: fc.constantFrom(0, 0, 0, 1, 2),
  noScope: fc.constantFrom(false, false, true),
  throughSmoke: fc.constantFrom(false, false, true),
  attackerInAir: fc.constantFrom(false, false, true),
  /** Impossible kills: of dead players, or by them. Rare, but records of broken demos have them. */
  impossible: fc.constantFrom(...Array<boolean>(19).fill(false), true),
});

const round = fc.record({
  winner: fc.constantFrom("a", "b", null),
  finished: fc.constantFrom(true, true, true, false),
  sideOfA: fc.constantFrom("T", "CT"),
  seconds: fc.integer({ min: 5, max: 32 }),
  away: fc.array(fc.nat(), { maxLength: 5 }),
  happenings: fc.array(happening, { maxLength: 24 }),
  /** A single attacker, so that aces, streaks and clutches are not rare. */
  hero: fc.option(fc.nat(), { nil: null }),
});

/** Matches of one to three generated rounds, with rosters of two to six, a bot and a coach. */
export const generatedMatch: fc.Arbitrary<MatchRecord> = fc
  .record({
    size: fc.integer({ min: 2, max: 6 }),
    bot: fc.boolean(),
    rounds: fc.array(round, { minLength: 1, maxLength: 3 }),
  })
  .map(({ size, bot, rounds }) => {
    const match = new MatchBuilder(size);
    const ids = ["a", "b"].flatMap((letter) => Array.from({ length: size }, (_, index) => `${letter}${index + 1}`));
    if (bot) match.person("bot", { team: 1, isBot: true });
    match.person("coach");
    const everybody = [...ids, ...(bot ? ["bot"] : []), "coach"];
    for (const { happenings, hero, away, ...setup } of rounds) {
      const absent = away.map((number) => ids[number % ids.length]!);
      match.round({ ...setup, away: absent, winner: setup.finished ? setup.winner : null } as RoundSetup, (played) => {
        const dead = new Set<string>(absent);
        const inOrder = [...happenings].sort((a, b) => a.at - b.at);
        for (const happening of inOrder) {
          const by = everybody[(hero !== null && happening.on % 4 > 0 ? hero : happening.by) % everybody.length]!;
          happen(played, { everybody, dead }, by, everybody[happening.on % everybody.length]!, happening);
        }
      });
    }
    return match.build();
  });

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

interface Cast {
  everybody: readonly string[];
  dead: Set<string>;
}

function happen(played: RoundBuilder, { everybody, dead }: Cast, by: string, on: string, what: Happening): void {
  const seconds = what.at / 8;
  const alive = what.impossible || !dead.has(on);
  switch (what.kind) {
    case "kill":
      if (!alive || (!what.impossible && dead.has(by))) return;
      dead.add(on);
      played.kill(
        seconds,
        by,
        on,
        what.weapon === "world" ? { weapon: "ak47", traced: false } : { ...flagsOf(what), weapon: what.weapon },
      );
      return;
    case "fall":
    case "bomb":
      if (!alive) return;
      dead.add(on);
      played.kill(seconds, null, on, { weapon: what.kind === "bomb" ? "planted_c4" : "worldspawn" });
      return;
    case "sweep": {
      const opponents = everybody.filter((id) => id !== "coach" && id[0] !== by[0] && !dead.has(id));
      if (dead.has(by) || by === "coach" || by === "bot") return;
      for (const [index, opponent] of opponents.entries()) {
        dead.add(opponent);
        played.kill(seconds + index / 4, by, opponent, { ...flagsOf(what), weapon: "deagle" });
      }
      return;
    }
    case "leave":
      dead.add(on);
      played.leave(seconds, on);
      return;
    case "shot":
      played.shot(seconds, by, what.weapon);
      return;
    case "hurt":
      played.hurt(seconds, by, on, 20, 80);
      return;
    case "defuse":
      played.defuse(seconds, by);
  }
}

function flagsOf({ headshot, penetrated, noScope, throughSmoke, attackerInAir }: Happening) {
  return { headshot, penetrated, noScope, throughSmoke, attackerInAir };
}
