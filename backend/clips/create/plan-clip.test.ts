import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClipSchema } from "../../../contract/schemas/create-clip.ts";
import type { RecordedRound } from "../../../replay/match-record.ts";
import { detectHighlights } from "../../highlights/index.ts";
import { MatchBuilder } from "../../highlights/testing/round-builder.ts";
import { Refusal } from "../../refusal.ts";
import type { User } from "../../storage/schema.ts";
import { type FreshServices, freshServices } from "../../storage/testing/fresh-services.ts";
import { planClip } from "./plan-clip.ts";

const sha256 = "d".repeat(64);
const matchId = "match0000001";
const record = new MatchBuilder()
  .round({ winner: "a" }, (round) => round.kill(20, "a1", "b1", { weapon: "knife" }))
  .build();
const [knifeKill] = detectHighlights(record);

let fresh: FreshServices;
let user: User;
beforeAll(async () => {
  fresh = await freshServices();
  const { database } = fresh.services;
  user = await database
    .insertInto("users")
    .values({ steam_id: "76561199999900001", steam_name: "a1" })
    .returningAll()
    .executeTakeFirstOrThrow();
  await database
    .insertInto("demos")
    .values({
      sha256,
      map: "de_dust2",
      game_mode: "",
      server_name: "",
      players: JSON.stringify([]),
      teams: JSON.stringify([]),
      timing: JSON.stringify({ tickRate: 64, rounds: record.rounds }),
      track_key: "demos/d/track-1.bin",
      detector_version: 1,
    })
    .execute();
  await database
    .insertInto("matches")
    .values({ id: matchId, user_id: user.id, source: "url", demo_sha256: sha256, status: "completed" })
    .execute();
});
afterAll(() => fresh.remove());

interface StoredHighlight {
  round: number;
  ticks: number[];
}

/** Gives the demo one round and these highlights, and asks for a clip of them all. */
async function planned(round: Partial<RecordedRound>, highlights: readonly StoredHighlight[]) {
  const { database } = fresh.services;
  const rounds = [{ ...record.rounds[0]!, ...round }];
  await database
    .updateTable("demos")
    .set({ timing: JSON.stringify({ tickRate: 64, rounds }) })
    .execute();
  await database.deleteFrom("highlights").execute();
  const rows = await database
    .insertInto("highlights")
    .values(
      highlights.map(({ round: number, ticks }, index) => ({
        demo_sha256: sha256,
        type: "ace",
        round: number,
        player: index * 99,
        kills_count: ticks.length,
        score: 1,
        reason: "",
        start_tick: Math.min(...ticks),
        end_tick: Math.max(...ticks),
        moments: JSON.stringify(ticks.map((tick) => ({ ...knifeKill!.moments[0]!, tick }))),
      })),
    )
    .returning("id")
    .execute();
  const request = createClipSchema.parse({ highlight_ids: rows.map(({ id }) => id) });
  return planClip(fresh.services, user, matchId, request);
}

const tick = fc.oneof(
  fc.integer({ min: -1, max: 9000 }),
  fc.constantFrom(0, 2 ** 24, 2 ** 30, 2 ** 31 - 1, -(2 ** 31)),
);
const storedHighlight = fc.record({
  round: fc.constantFrom(1, 1, 1, 2, 2 ** 31 - 1),
  ticks: fc.array(tick, { minLength: 1, maxLength: 40 }),
});

test("whatever is stored of a demo, asking for a clip of it gives one or a sentence", async () => {
  const codes = new Set<string>();
  const highlights = fc.array(storedHighlight, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.tuple(tick, tick, tick, tick), highlights, async (bounds, chosen) => {
      const [startTick, freezeEndTick, endTick, officialEndTick] = bounds;
      try {
        const { spec } = await planned({ startTick, freezeEndTick, endTick, officialEndTick }, chosen);
        codes.add("planned");
        expect(spec.segments.length).toBeGreaterThan(0);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        codes.add(error.code);
      }
    }),
    { numRuns: 150, seed: 7 },
  );
  expect([...codes].sort()).toEqual(["not_in_recording", "planned"]);
});

test("a clip of hours is refused with a sentence, and the description of the longest allowed is small", async () => {
  const five = (tickOf: (highlight: number, moment: number) => number) =>
    Array.from({ length: 5 }, (_, highlight) => ({
      round: 1,
      ticks: Array.from({ length: 32 }, (_, moment) => 2000 + tickOf(highlight, moment) * 64),
    }));
  const day = { endTick: 2 ** 23, officialEndTick: 2 ** 23 };
  const inTurn = five((highlight, moment) => (highlight * 32 + moment) * 9);
  await expect(planned(day, inTurn)).rejects.toMatchObject({
    message: "A clip can last at most 20 minutes. Select fewer highlights.",
  });
  const byTurns = five((highlight, moment) => (moment * 5 + highlight) * 7);
  const { spec } = await planned(day, byTurns);
  expect(spec.segments.length).toBeGreaterThan(100);
  expect(JSON.stringify(spec).length).toBeLessThan(256 * 1024);
});
