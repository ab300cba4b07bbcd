import { type DemoEvent, eventGameFields } from "./demo-events.ts";

/** Fields of teams are asked for once and told of both. */
const toldGameFields = eventGameFields.flatMap((field) =>
  field.startsWith("team_") ? [`t_${field}`, `ct_${field}`] : [field],
);

/**
 * Without freeze time (`mp_freezetime 0`) a round begins and goes live at one tick. Events come before what changes at theirs, so
 * that end of freeze time still tells the score, the sides and the warm-up of before: it is given what the round's next event tells,
 * or, where there is none, what the parser tells of the round's beginning.
 * @param events in tick order; changed in place
 */
export function settleFreezeEnds(events: readonly DemoEvent[]): void {
  const ticksOf = (name: string) =>
    new Set(events.filter((event) => event.event_name === name).map(({ tick }) => tick));
  const starts = ticksOf("round_start");
  // By then the round itself may have been counted.
  const ends = ticksOf("round_end");
  for (const [index, event] of events.entries()) {
    if (event.event_name !== "round_freeze_end" || !starts.has(event.tick)) continue;
    const later = events.slice(index).find(({ tick }) => tick > event.tick);
    const beginnings = events.filter(({ event_name: name, tick }) => name === "round_start" && tick === event.tick);
    const told = later && !ends.has(later.tick) ? later : beginnings.at(-1)!;
    for (const field of toldGameFields) event[field] = told[field];
  }
}
