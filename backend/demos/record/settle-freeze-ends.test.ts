import { expect, test } from "vitest";
import type { DemoEvent } from "./demo-events.ts";
import { settleFreezeEnds } from "./settle-freeze-ends.ts";

const of = (event_name: string, tick: number, ct_team_rounds_total: number): DemoEvent => ({
  event_name,
  tick,
  ct_team_rounds_total,
});

/** The fields of the end of freeze time afterwards. */
function settled(...events: DemoEvent[]) {
  settleFreezeEnds(events);
  return events.find((event) => event.event_name === "round_freeze_end")?.ct_team_rounds_total;
}

const start = of("round_start", 100, 2);
const freezeEnd = of("round_freeze_end", 100, 1);

test("a round that goes live as it begins has the score of its next event", () => {
  expect(settled({ ...freezeEnd }, start, of("weapon_fire", 150, 3), of("round_end", 300, 4))).toBe(3);
});

test("where it has none before its end, or the recording ends, what is told of its beginning counts", () => {
  expect(settled({ ...freezeEnd }, start, of("round_end", 300, 3))).toBe(2);
  expect(settled({ ...freezeEnd }, start)).toBe(2);
});

test("after freeze time the score is the event's own", () => {
  expect(settled(of("round_start", 99, 2), { ...freezeEnd }, of("weapon_fire", 150, 3))).toBe(1);
});
