import fc from "fast-check";
import { expect, test } from "vitest";
import type { ClipSegment } from "../../replay/clip-spec.ts";
import type { MatchRecord } from "../../replay/match-record.ts";
import type { StoredHighlight } from "./highlight.ts";
import { detectHighlights, type Highlight } from "./index.ts";
import { clipSegments, heldHighlights, highlightWindows } from "./segments.ts";
import { generatedMatch } from "./testing/generated-match.ts";
import { MatchBuilder, type RoundBuilder, type RoundSetup } from "./testing/round-builder.ts";

const usual = { preSeconds: 2, postSeconds: 0 };

function played(play: (round: RoundBuilder) => void, setup: RoundSetup = {}): MatchRecord {
  return new MatchBuilder().round({ winner: "a", ...setup }, play).build();
}

function ofTypes(record: MatchRecord, ...types: string[]): Highlight[] {
  return detectHighlights(record).filter(({ type }) => types.includes(type));
}

/** Segments as [start, end, player] in seconds after the round's freeze end. */
function inSeconds(record: MatchRecord, segments: readonly ClipSegment[]): [number, number, string][] {
  return segments.map(({ round: number, startTick, endTick, player }) => {
    const freezeEnd = record.rounds.find((round) => round.number === number)!.freezeEndTick;
    return [(startTick - freezeEnd) / 64, (endTick - freezeEnd) / 64, record.players[player]!.name];
  });
}

test("a clip of one kill lasts from two seconds and the adjustment before it to two seconds after", () => {
  const record = played((round) => round.kill(20, "a1", "b1", { weapon: "knife" }));
  const shown = (preSeconds: number, postSeconds: number) =>
    inSeconds(record, clipSegments(detectHighlights(record), record, { preSeconds, postSeconds }));
  expect(shown(2, 0)).toEqual([[16, 22, "a1"]]);
  expect(shown(2, -1.5)).toEqual([[16, 20.5, "a1"]]);
  expect(shown(0, 0)).toEqual([[18, 22, "a1"]]);
  expect(shown(5, 5)).toEqual([[13, 27, "a1"]]);
});

test("kills up to ten seconds apart are one segment, further apart they are joined by a cut", () => {
  const record = played((round) => round.kill(10, "a1", "b1").kill(20, "a1", "b2").kill(30.1, "a1", "b3"));
  const triple = ofTypes(record, "triple_kill");
  expect(inSeconds(record, clipSegments(triple, record, usual))).toEqual([
    [6, 22, "a1"],
    [26.09375, 32.09375, "a1"],
  ]);
});

test("a cut that would skip less than two seconds is not made", () => {
  const record = played((round) => round.kill(10, "a1", "b1").kill(11, "a1", "b2").kill(24, "a1", "b3"));
  const triple = ofTypes(record, "triple_kill");
  const shown = (postSeconds: number) =>
    inSeconds(record, clipSegments(triple, record, { preSeconds: 5, postSeconds }));
  expect(shown(2)).toEqual([
    [3, 15, "a1"],
    [17, 28, "a1"],
  ]);
  expect(shown(2.1)).toEqual([[3, 28.1, "a1"]]);
});

test("nothing is shown before freeze end minus one second or past the official end", () => {
  const record = played(
    (round) => round.kill(0.5, "a1", "b1", { weapon: "knife" }).kill(29.5, "a2", "b2", { weapon: "taser" }),
    {
      seconds: 30,
      afterSeconds: 1,
    },
  );
  expect(inSeconds(record, clipSegments(detectHighlights(record), record, usual))).toEqual([
    [-1, 2.5, "a1"],
    [25.5, 31, "a2"],
  ]);
});

test("a clutch is shown from its beginning, even when its first kill comes later", () => {
  const record = played(
    (round) => {
      round.kill(2, "b1", "a2").kill(10, "b1", "a3").kill(18, "b2", "a4").kill(30, "b2", "a5");
      round.kill(50, "a1", "b1").kill(52, "a1", "b2");
    },
    { away: ["b3", "b4", "b5"] },
  );
  const clutch = ofTypes(record, "clutch_1v2");
  expect(inSeconds(record, clipSegments(clutch, record, usual))).toEqual([
    [26, 32, "a1"],
    [46, 62, "a1"],
  ]);
});

test("a clutch won without a kill is shown at its beginning and at the round's end", () => {
  const record = played(
    (round) => round.kill(2, "b1", "a2").kill(10, "b1", "a3").kill(18, "b2", "a4").kill(24, "b2", "a5"),
    {
      reason: "target_bombed",
    },
  );
  const clutch = ofTypes(record, "clutch_1v5");
  expect(inSeconds(record, clipSegments(clutch, record, usual))).toEqual([
    [20, 26, "a1"],
    [56, 62, "a1"],
  ]);
});

test("highlights of the same kills are shown once, with both captions", () => {
  const record = played((round) => {
    for (const number of [1, 2, 3]) round.kill(number * 8, "a1", `b${number}`, { headshot: true, traced: false });
  });
  const [segment, ...others] = clipSegments(detectHighlights(record), record, usual);
  expect(others).toEqual([]);
  expect(segment?.captions.map(({ label }) => label).sort()).toEqual(["Headshot Streak", "Triple Kill"]);
  expect(
    segment?.captions.every(({ startTick, endTick }) => startTick === segment.startTick && endTick === segment.endTick),
  ).toBe(true);
});

test("a caption is shown around its own moments only", () => {
  const record = played((round) =>
    round.kill(10, "a1", "b1", { weapon: "knife" }).kill(18, "a1", "b2").kill(26, "a1", "b3", { weapon: "taser" }),
  );
  const [segment] = clipSegments(detectHighlights(record), record, usual);
  const { freezeEndTick } = record.rounds[0]!;
  const shown = segment!.captions.map(({ label, startTick, endTick }) => [
    label,
    (startTick - freezeEndTick) / 64,
    (endTick - freezeEndTick) / 64,
  ]);
  expect(shown.sort()).toEqual([
    ["Knife Kill", 6, 12],
    ["Triple Kill", 6, 28],
    ["Zeus Kill", 22, 28],
  ]);
});

test("two players' moments in one stretch are followed in turn, cut a second after the first's kill", () => {
  const record = played((round) =>
    round.kill(20, "a1", "b1", { weapon: "knife" }).kill(24, "a2", "b2", { weapon: "knife" }),
  );
  const segments = clipSegments(detectHighlights(record), record, usual);
  expect(inSeconds(record, segments)).toEqual([
    [16, 21, "a1"],
    [21, 26, "a2"],
  ]);
  expect(segments.map(({ captions }) => captions.map(({ player }) => player))).toEqual([[0], [1]]);
});

test("when the second player's kill comes soon, the camera goes over half way", () => {
  const record = played((round) =>
    round.kill(20, "a1", "b1", { weapon: "knife" }).kill(21.5, "a2", "b2", { weapon: "knife" }),
  );
  expect(inSeconds(record, clipSegments(detectHighlights(record), record, usual))).toEqual([
    [16, 20.75, "a1"],
    [20.75, 23.5, "a2"],
  ]);
});

test("a kill that begins somebody else's clutch is seen from its own player, however little it scores", () => {
  const record = played(
    (round) => {
      round.kill(4, "b1", "a2").kill(8, "b2", "a3").kill(12, "b1", "a4");
      round.kill(16, "b2", "a5", { throughSmoke: true, traced: false }).kill(20, "a1", "b1").kill(23, "a1", "b2");
    },
    { away: ["b3", "b4", "b5"] },
  );
  const chosen = ofTypes(record, "through_smoke", "clutch_1v2");
  expect(chosen.map(({ score }) => score).sort((a, b) => a - b)[1]).toBe(
    chosen.find(({ type }) => type === "clutch_1v2")?.score,
  );
  expect(inSeconds(record, clipSegments(chosen, record, usual))).toEqual([
    [12, 17, "b2"],
    [17, 25, "a1"],
    // The end of the round, won by the clutch.
    [56, 62, "a1"],
  ]);
});

test("the camera does not flicker: a kill too close to another player's is seen from there", () => {
  const record = played((round) =>
    round.kill(20, "a1", "b1", { weapon: "knife" }).kill(20.25, "a2", "b2", { weapon: "taser" }),
  );
  const segments = clipSegments(detectHighlights(record), record, usual);
  expect(inSeconds(record, segments)).toEqual([[16, 22.25, "a1"]]);
  expect(segments[0]?.captions.map(({ label }) => label).sort()).toEqual(["Knife Kill", "Zeus Kill"]);
});

test("the clutch that begins with the opponent's last kill is followed after that kill has been seen", () => {
  const record = played(
    (round) => {
      round.kill(10, "b1", "a2").kill(12, "b1", "a3").kill(14, "b1", "a4").kill(16, "b1", "a5");
      round.kill(20, "a1", "b1").kill(23, "a1", "b2");
    },
    { away: ["b3", "b4", "b5"] },
  );
  const segments = clipSegments(ofTypes(record, "quad_kill", "clutch_1v2"), record, usual);
  expect(inSeconds(record, segments)).toEqual([
    [6, 17, "b1"],
    [17, 25, "a1"],
    [56, 62, "a1"],
  ]);
});

test("highlights of several rounds play in match order, whatever order they are given in", () => {
  const record = new MatchBuilder()
    .round({ winner: "a" }, (round) => round.kill(20, "a1", "b1", { weapon: "knife" }))
    .round({ winner: "a" }, (round) =>
      round.kill(10, "b3", "a1", { weapon: "knife" }).kill(50, "a1", "b1", { weapon: "taser" }),
    )
    .build();
  const highlights = detectHighlights(record);
  const forwards = clipSegments(highlights, record, usual);
  expect(forwards.map(({ round }) => round)).toEqual([1, 2, 2]);
  expect(clipSegments([...highlights].reverse(), record, usual)).toEqual(forwards);
});

test("a highlight of a round the record does not have is an error", () => {
  const record = played((round) => round.kill(20, "a1", "b1", { weapon: "knife" }));
  const [knife] = detectHighlights(record);
  expect(() => clipSegments([{ ...knife!, round: 7 }], record, usual)).toThrow("The record has no round 7.");
});

const someOf = fc.infiniteStream(fc.boolean());
const timing = fc.record({
  preSeconds: fc.constantFrom(0, 0.5, 2, 5),
  postSeconds: fc.constantFrom(-1.5, -0.25, 0, 2, 5),
});

test("segments never overlap, stay in their rounds, come in match order and show every highlight", () => {
  fc.assert(
    fc.property(generatedMatch, someOf, timing, (record, picks, chosen) => {
      const highlights = detectHighlights(record).filter(() => picks.next().value);
      const segments = clipSegments(highlights, record, chosen);
      for (const [index, { startTick, endTick, round: number, captions }] of segments.entries()) {
        const round = record.rounds.find((candidate) => candidate.number === number)!;
        expect(endTick).toBeGreaterThan(startTick);
        expect(startTick).toBeGreaterThanOrEqual(round.freezeEndTick - 64);
        expect(endTick).toBeLessThanOrEqual(round.officialEndTick);
        const before = segments[index - 1];
        if (before) expect(before.endTick).toBeLessThanOrEqual(startTick);
        if (before && before.round === number && before.endTick < startTick)
          expect(startTick - before.endTick).toBeGreaterThanOrEqual(128);
        for (const caption of captions) {
          expect(caption.startTick).toBeGreaterThanOrEqual(startTick);
          expect(caption.endTick).toBeLessThanOrEqual(endTick);
          expect(caption.endTick).toBeGreaterThan(caption.startTick);
        }
      }
      const isShown = (tick: number) => segments.some(({ startTick, endTick }) => tick >= startTick && tick <= endTick);
      for (const { moments, reason, player } of highlights) {
        expect(moments.every(({ tick }) => isShown(tick))).toBe(true);
        const named = segments.flatMap(({ captions }) => captions).filter((caption) => caption.player === player);
        expect(named.map((caption) => caption.reason)).toContain(reason);
      }
    }),
    { numRuns: 400 },
  );
});

test("the windows of a track hold every clip the API accepts", () => {
  fc.assert(
    fc.property(generatedMatch, someOf, timing, (record, picks, chosen) => {
      const highlights = detectHighlights(record);
      const windows = highlightWindows(highlights, record);
      for (const [index, { startTick, endTick }] of windows.entries()) {
        expect(Number.isInteger(startTick) && Number.isInteger(endTick)).toBe(true);
        expect(startTick).toBeGreaterThanOrEqual(record.firstTick);
        expect(endTick).toBeLessThanOrEqual(record.lastTick);
        if (index > 0) expect(windows[index - 1]!.endTick).toBeLessThan(startTick);
      }
      const picked = highlights.filter(() => picks.next().value);
      for (const { startTick, endTick } of clipSegments(picked, record, chosen)) {
        expect(windows.some((window) => window.startTick <= startTick && window.endTick >= endTick)).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
});

test("of other rules' highlights those are held that lie within the ticks of a track, alone and in any choice", () => {
  const record = played((round) =>
    round
      .kill(20, "a1", "b1", { weapon: "knife" })
      .kill(21, "a1", "b2", { weapon: "awp", noScope: true })
      .kill(45, "a2", "b3", { weapon: "taser" }),
  );
  const all = detectHighlights(record);
  const tracked = highlightWindows(ofTypes(record, "knife_kill"), record);
  expect(heldHighlights(ofTypes(record, "knife_kill"), record, tracked)).toEqual(ofTypes(record, "knife_kill"));
  expect(heldHighlights(ofTypes(record, "taser_kill"), record, tracked)).toEqual([]);
  // The no-scope comes a second later: the track lacks the end of its longest clip.
  expect(heldHighlights(all, record, tracked).map(({ type }) => type)).toEqual(["knife_kill"]);
  expect(heldHighlights(all, record, highlightWindows(all, record))).toEqual(all);
  expect(heldHighlights(all, record, [])).toEqual([]);
  fc.assert(
    fc.property(generatedMatch, fc.infiniteStream(fc.boolean()), timing, (match, picks, chosen) => {
      const found = detectHighlights(match);
      const windows = highlightWindows(
        found.filter(() => picks.next().value),
        match,
      );
      const held = heldHighlights(found, match, windows).filter(() => picks.next().value);
      // The win of a clutch is shown as far as the track contains it.
      const judged = held.filter(({ type }) => !type.startsWith("clutch_"));
      for (const { startTick, endTick } of clipSegments(judged, match, chosen)) {
        expect(windows.some((window) => window.startTick <= startTick && window.endTick >= endTick - 4)).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

const anyTick = fc.oneof(fc.integer({ min: -1, max: 9000 }), fc.constantFrom(0, 2 ** 30, 2 ** 31 - 1, -(2 ** 31)));

test("whatever ticks an older import stored, segments are whole stretches or none, never an error", () => {
  const stored = fc.record({
    bounds: fc.tuple(anyTick, anyTick, anyTick, anyTick),
    highlights: fc.array(fc.record({ ticks: fc.array(anyTick, { maxLength: 6 }), player: fc.nat(9) }), {
      minLength: 1,
      maxLength: 5,
    }),
  });
  const record = played((round) => round.kill(20, "a1", "b1", { weapon: "knife" }));
  const [model] = detectHighlights(record);
  fc.assert(
    fc.property(stored, timing, ({ bounds, highlights }, chosen) => {
      const [startTick, freezeEndTick, endTick, officialEndTick] = bounds;
      const round = { ...record.rounds[0]!, startTick, freezeEndTick, endTick, officialEndTick };
      const odd = highlights.map(({ ticks, player }): Highlight => {
        const moments = ticks.map((tick) => ({ ...model!.moments[0]!, tick }));
        return { ...model!, player, moments, startTick: ticks[0] ?? 0, endTick: ticks.at(-1) ?? 0 };
      });
      for (const segment of clipSegments(odd, { tickRate: 64, rounds: [round] }, chosen)) {
        expect(segment.endTick).toBeGreaterThan(segment.startTick);
        for (const caption of segment.captions) expect(caption.endTick).toBeGreaterThanOrEqual(caption.startTick);
      }
    }),
    { numRuns: 2000 },
  );
});

test("a clutch is shown until it is won, by the defuse, the explosion or the clock", () => {
  const clutchWonAt = (seconds: number) => {
    const record = new MatchBuilder(3)
      .round({ winner: "a", seconds }, (round) =>
        round.kill(5, "b1", "a2").kill(6, "b1", "a3").kill(7, "a1", "b3").kill(20, "a1", "b1").kill(22, "a1", "b2"),
      )
      .build();
    return inSeconds(record, clipSegments(ofTypes(record, "clutch_1v3"), record, usual));
  };
  expect(clutchWonAt(22)).toEqual([
    [2, 9, "a1"],
    [16, 24, "a1"],
  ]);
  expect(clutchWonAt(30).at(-1)).toEqual([16, 32, "a1"]);
  // A long wait for the bomb is left out.
  expect(clutchWonAt(55).slice(1)).toEqual([
    [16, 24, "a1"],
    [51, 57, "a1"],
  ]);
});

/** A custom highlight, in seconds after freeze end, with kills of its player at some of them. */
function marked(record: MatchRecord, id: string, from: number, to: number, kills: number[] = []): StoredHighlight {
  const tick = (seconds: number) => record.rounds[0]!.freezeEndTick + seconds * 64;
  const player = record.players.findIndex(({ name }) => name === id);
  const moments = kills.map((second) => ({
    tick: tick(second),
    kind: "kill" as const,
    weapon: "ak47",
    flags: [],
    victim: null,
  }));
  const ticks = { startTick: tick(from), endTick: tick(to) };
  return {
    type: "custom",
    name: "Held alone",
    round: 1,
    player,
    moments,
    ...ticks,
    score: -1,
    reason: "Marked by hand",
    victims: [],
  };
}

const unchanged = { preSeconds: 0, postSeconds: 0 };

test("a moment marked without a kill is its player's, except around another player's kill", () => {
  const record = played((round) => round.kill(20, "b1", "a2", { weapon: "knife" }));
  const chosen = [marked(record, "a1", 10, 25), ...detectHighlights(record)];
  const segments = clipSegments(chosen, record, unchanged);
  expect(inSeconds(record, segments)).toEqual([
    [10, 19, "a1"],
    [19, 21, "b1"],
    [21, 25, "a1"],
  ]);
  expect(segments.map(({ captions }) => captions.map(({ label }) => label))).toEqual([
    ["Held alone"],
    ["Knife Kill"],
    ["Held alone"],
  ]);
  // Before and after the marked moment the camera does not turn to anybody else without reason.
  expect(inSeconds(record, clipSegments(chosen, record, { preSeconds: 3, postSeconds: 2 }))).toEqual([
    [7, 19, "a1"],
    [19, 21, "b1"],
    [21, 27, "a1"],
  ]);
});

test("the camera does not flicker in a marked moment, and leaves it for a kill near its end", () => {
  const kills = (...seconds: number[]) =>
    played((round) => {
      for (const [i, second] of seconds.entries()) round.kill(second, "b1", `a${i + 2}`, { weapon: "knife" });
    });
  const shown = (record: MatchRecord) =>
    inSeconds(
      record,
      clipSegments([marked(record, "a1", 10, 25), ...ofTypes(record, "knife_kill")], record, unchanged),
    );
  expect(shown(kills(15, 17.5))).toEqual([
    [10, 14, "a1"],
    [14, 18.5, "b1"],
    [18.5, 25, "a1"],
  ]);
  expect(shown(kills(24.5))).toEqual([
    [10, 23.5, "a1"],
    [23.5, 26.5, "b1"],
  ]);
  expect(shown(kills(11.5))).toEqual([
    [9.5, 12.5, "b1"],
    [12.5, 25, "a1"],
  ]);
});

test("of two players' marked moments each has half of what they share", () => {
  const record = played(() => {});
  const shown = (...moments: StoredHighlight[]) => {
    const segments = clipSegments(moments, record, unchanged);
    expect(segments.every(({ isEven }) => isEven)).toBe(true);
    return inSeconds(record, segments);
  };
  const long = marked(record, "a1", 10, 20);
  expect(shown(long, marked(record, "b1", 15, 25))).toEqual([
    [10, 17.5, "a1"],
    [17.5, 25, "b1"],
  ]);
  expect(shown(long, marked(record, "b1", 12, 16))).toEqual([
    [10, 14, "a1"],
    [14, 16, "b1"],
    [16, 20, "a1"],
  ]);
  expect(shown(long, marked(record, "b1", 10, 20))).toEqual([
    [10, 15, "a1"],
    [15, 20, "b1"],
  ]);
  expect(shown(long, marked(record, "a1", 15, 25))).toEqual([[10, 25, "a1"]]);
});

test("with whatever else moments are marked, nothing is shown twice or left out, and nobody is turned to for less than a second", () => {
  const player = fc.constantFrom("a1", "a2", "b1", "b2");
  const mark = fc.record({ player, from: fc.integer({ min: 0, max: 40 }), seconds: fc.integer({ min: 2, max: 20 }) });
  const kill = fc.record({ player, eighth: fc.integer({ min: 8, max: 400 }) });
  fc.assert(
    fc.property(fc.array(mark, { minLength: 1, maxLength: 4 }), fc.array(kill, { maxLength: 5 }), (marks, kills) => {
      const record = played((round) => {
        for (const [i, { player: by, eighth }] of kills.entries())
          round.kill(eighth / 8, by, `${by[0] === "a" ? "b" : "a"}${3 + (i % 3)}`, { weapon: "knife" });
      });
      const moments = marks.map(({ player: by, from, seconds }) => marked(record, by, from, from + seconds));
      const chosen = [...moments, ...ofTypes(record, "knife_kill")];
      const segments = clipSegments(chosen, record, unchanged);
      for (const [i, { startTick, endTick, captions }] of segments.entries()) {
        expect(startTick).toBeGreaterThanOrEqual(segments[i - 1]?.endTick ?? 0);
        expect(endTick - startTick).toBeGreaterThanOrEqual(64);
        for (const caption of captions) expect(caption.endTick).toBeGreaterThan(caption.startTick);
      }
      const ticksShown = (from: number, to: number) =>
        segments.reduce(
          (sum, { startTick, endTick }) => sum + Math.max(0, Math.min(endTick, to) - Math.max(startTick, from)),
          0,
        );
      for (const { startTick, endTick } of moments) expect(ticksShown(startTick, endTick)).toBe(endTick - startTick);
      for (const { moments: own } of chosen) for (const { tick } of own) expect(ticksShown(tick, tick + 1)).toBe(1);
    }),
    { numRuns: 400 },
  );
});

test("a marked moment keeps what it was marked from and to, beside its player's own kill", () => {
  const record = played((round) => round.kill(26, "a1", "b1", { weapon: "knife" }));
  const moment = marked(record, "a1", 10, 25);
  const [segment, ...others] = clipSegments([moment, ...detectHighlights(record)], record, unchanged);
  expect(others).toEqual([]);
  const { startTick, endTick } = moment;
  expect(segment?.captions.map((caption) => caption.marked)).toEqual([{ startTick, endTick }, undefined]);
});

test("a kill on the last tick of a marked moment is shown, and what comes of it for a second", () => {
  const record = played((round) => round.kill(14, "a1", "b1"));
  const shown = (to: number) =>
    inSeconds(record, clipSegments([marked(record, "a1", 10, to, [14])], record, unchanged));
  expect(shown(14)).toEqual([[10, 15, "a1"]]);
  expect(shown(14.5)).toEqual([[10, 15, "a1"]]);
  expect(shown(16)).toEqual([[10, 16, "a1"]]);
});

test("a kill on the recording's last tick is shown", () => {
  const record = played((round) => round.kill(30, "a1", "b1", { weapon: "knife" }), { seconds: 30, afterSeconds: 0 });
  const [knife] = detectHighlights(record);
  const [segment] = clipSegments([knife!], record, unchanged);
  expect(segment?.endTick).toBe(record.rounds[0]!.endTick + 1);
  const [window] = highlightWindows([knife!], { ...record, lastTick: record.rounds[0]!.endTick });
  expect(window?.endTick).toBe(record.rounds[0]!.endTick);
  const moment = marked(record, "a1", 25, 30, [30]);
  expect(clipSegments([moment], record, unchanged)[0]?.endTick).toBe(record.rounds[0]!.endTick + 1);
});
