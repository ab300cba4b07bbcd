import fc from "fast-check";
import { expect, test } from "vitest";
import { highlightTypes } from "../../contract/highlight-types.ts";
import { demoLimits } from "../../contract/limits.ts";
import type { MatchRecord } from "../../replay/match-record.ts";
import { detectHighlights } from "./index.ts";
import { generatedMatch } from "./testing/generated-match.ts";
import { MatchBuilder } from "./testing/round-builder.ts";

const runs = { numRuns: 400 };
const countTypes: readonly string[] = ["ace", "quad_kill", "triple_kill", "multi_kill"];
const isClutch = (type: string) => type.startsWith("clutch_");
const roundOf = (record: MatchRecord, number: number) => record.rounds.find((round) => round.number === number)!;

test("generated matches have every type of highlight, so the properties below are about something", () => {
  const seen = new Set(
    fc
      .sample(generatedMatch, { numRuns: 3000, seed: 4 })
      .flatMap((record) => detectHighlights(record).map(({ type }) => type)),
  );
  expect(highlightTypes.filter((type) => !seen.has(type))).toEqual([]);
});

test("a kill belongs to at most one of ace, quad, triple and multi kill", () => {
  fc.assert(
    fc.property(generatedMatch, (record) => {
      const kills = detectHighlights(record)
        .filter(({ type }) => countTypes.includes(type))
        .flatMap(({ round, player, moments }) =>
          moments.map(({ tick, victim }) => `${round} ${player} ${tick} ${victim}`),
        );
      expect(new Set(kills).size).toBe(kills.length);
    }),
    runs,
  );
});

test("a round has at most one clutch, of one player of the team that won it", () => {
  fc.assert(
    fc.property(generatedMatch, (record) => {
      for (const round of record.rounds) {
        const clutches = detectHighlights(record).filter(
          (found) => found.round === round.number && isClutch(found.type),
        );
        expect(clutches.length).toBeLessThanOrEqual(1);
        for (const { player } of clutches) {
          expect(round.finished).toBe(true);
          expect(record.players[player]?.team).toBe(round.winner);
        }
      }
    }),
    runs,
  );
});

test("no highlight and none of its moments lies outside the live part of its round", () => {
  fc.assert(
    fc.property(generatedMatch, (record) => {
      for (const { round: number, startTick, endTick, moments, type } of detectHighlights(record)) {
        const { freezeEndTick, endTick: roundEnd } = roundOf(record, number);
        expect(startTick).toBeGreaterThanOrEqual(isClutch(type) ? freezeEndTick : freezeEndTick + 1);
        expect(startTick).toBeLessThanOrEqual(endTick);
        expect(endTick).toBeLessThanOrEqual(roundEnd);
        for (const { tick } of moments) {
          expect(tick).toBeGreaterThanOrEqual(startTick);
          expect(tick).toBeLessThanOrEqual(endTick);
        }
      }
    }),
    runs,
  );
});

test("the order of events, within a tick or at all, does not change the result", () => {
  fc.assert(
    fc.property(generatedMatch, fc.infiniteStream(fc.nat()), (record, numbers) => {
      const shuffled = <T>(events: readonly T[]) =>
        events
          .map((event) => ({ event, key: numbers.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ event }) => event);
      const other: MatchRecord = {
        ...record,
        kills: shuffled(record.kills),
        deaths: shuffled(record.deaths),
        shots: shuffled(record.shots),
        damages: shuffled(record.damages),
        bomb: shuffled(record.bomb),
      };
      expect(detectHighlights(other)).toEqual(detectHighlights(record));
    }),
    runs,
  );
});

test("names do not change the result", () => {
  fc.assert(
    fc.property(generatedMatch, fc.string({ unit: "binary" }), (record, name) => {
      const renamed = { ...record, players: record.players.map((player) => ({ ...player, name })) };
      expect(detectHighlights(renamed)).toEqual(detectHighlights(record));
    }),
    runs,
  );
});

test("the numbering of the players does not change what is found", () => {
  fc.assert(
    fc.property(generatedMatch, (record) => {
      const last = record.players.length - 1;
      const flip = (player: number) => last - player;
      const flipOrNull = (player: number | null) => (player === null ? null : flip(player));
      const flipped: MatchRecord = {
        ...record,
        players: [...record.players].reverse(),
        rounds: record.rounds.map((round) => ({
          ...round,
          aliveAtFreezeEnd: [round.aliveAtFreezeEnd[0].map(flip), round.aliveAtFreezeEnd[1].map(flip)],
        })),
        kills: record.kills.map((kill) => ({
          ...kill,
          attacker: flipOrNull(kill.attacker),
          victim: flip(kill.victim),
        })),
        deaths: record.deaths.map((death) => ({ ...death, player: flip(death.player) })),
        shots: record.shots.map((shot) => ({ ...shot, player: flip(shot.player) })),
        damages: record.damages.map((hit) => ({
          ...hit,
          attacker: flipOrNull(hit.attacker),
          victim: flip(hit.victim),
        })),
        bomb: record.bomb.map((event) => ({ ...event, player: flipOrNull(event.player) })),
      };
      const facts = (from: MatchRecord) =>
        detectHighlights(from)
          .map(({ type, round, player, startTick, endTick, score, reason }) =>
            [type, round, from.players[player]?.name, startTick, endTick, score, reason].join("|"),
          )
          .sort();
      expect(facts(flipped)).toEqual(facts(record));
    }),
    runs,
  );
});

test("every highlight has a score, a reason and only moments of its player", () => {
  fc.assert(
    fc.property(generatedMatch, (record) => {
      for (const highlight of detectHighlights(record)) {
        expect(highlight.score).toBeGreaterThan(0);
        expect(highlight.reason).toMatch(/^[A-Z0-9][^.]*(\.\d[^.]*)*$/);
        expect(record.players[highlight.player]).toMatchObject({ isBot: false });
        expect(record.players[highlight.player]?.team).not.toBeNull();
        expect(highlight.victims).toEqual(highlight.moments.flatMap(({ victim }) => victim ?? []));
        for (const { tick, victim, kind } of highlight.moments.filter((moment) => moment.kind === "kill")) {
          const kill = record.kills.find((candidate) => candidate.tick === tick && candidate.victim === victim);
          expect([
            kind,
            record.kills.some((k) => k.tick === tick && k.victim === victim && k.attacker === highlight.player),
          ]).toEqual(["kill", kill !== undefined]);
        }
      }
    }),
    runs,
  );
});

test("highlights come in match order, the better first where they begin together", () => {
  fc.assert(
    fc.property(generatedMatch, (record) => {
      const highlights = detectHighlights(record);
      for (const [index, { startTick, score }] of highlights.entries()) {
        const before = highlights[index - 1];
        if (!before) continue;
        expect(before.startTick).toBeLessThanOrEqual(startTick);
        if (before.startTick === startTick) expect(before.score).toBeGreaterThanOrEqual(score);
      }
    }),
    runs,
  );
});

test("a match of no rounds has no highlights", () => {
  expect(detectHighlights(new MatchBuilder().build())).toEqual([]);
});

test("of a demo with more highlights than anybody looks through, the best are kept", () => {
  const match = new MatchBuilder(60);
  for (let number = 1; number <= 30; number++) {
    match.round({ winner: "a", seconds: 300 }, (round) => {
      for (let index = 1; index <= 60; index++) {
        round.kill(index * 4, `a${index}`, `b${index}`, { weapon: "awp", noScope: true, headshot: index < number });
      }
    });
  }
  const highlights = detectHighlights(match.build());
  expect(highlights).toHaveLength(demoLimits.highlights);
  const withHeadshot = highlights.filter(({ moments }) => moments[0]?.flags.includes("headshot"));
  // All with a headshot, which score higher, and as many without as fit.
  expect(withHeadshot).toHaveLength((29 * 30) / 2);
  expect(highlights.map(({ startTick }) => startTick)).toEqual(
    highlights.map(({ startTick }) => startTick).sort((a, b) => a - b),
  );
});

test("a highlight of more kills than a server has places has the first of them, and all together have room", () => {
  const match = new MatchBuilder(60);
  for (let number = 1; number <= 120; number++) {
    match.round({ winner: "a" }, (round) => {
      for (let index = 1; index <= 60; index++) round.kill(index / 2, "a1", `b${index}`, { weapon: "ak47" });
    });
  }
  const highlights = detectHighlights(match.build());
  const ace = highlights.find(({ type }) => type === "ace")!;
  expect(ace.moments).toHaveLength(demoLimits.momentsOfHighlight);
  expect(ace.victims).toHaveLength(demoLimits.momentsOfHighlight);
  expect(ace.endTick).toBe(ace.moments.at(-1)?.tick);
  expect(ace.reason).toMatch(/^32 kills in/);
  const moments = highlights.flatMap((highlight) => highlight.moments);
  expect(moments.length).toBeLessThanOrEqual(demoLimits.moments);
  expect(moments.length).toBeGreaterThan(demoLimits.moments - demoLimits.momentsOfHighlight);
});
