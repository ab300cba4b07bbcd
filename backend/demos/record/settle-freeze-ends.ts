import { type DemoEvent, eventGameFields } from "./demo-events.ts";

/** Team fields are requested once and returned for both teams. */
const returnedGameFields = eventGameFields.flatMap((field) =>
  field.startsWith("team_") ? [`t_${field}`, `ct_${field}`] : [field],
);

/**
 * Without freeze time (`mp_freezetime 0`) a round begins and goes live at the same tick. Events come before the changes of their tick, so
 * the end of freeze time still has the previous score, sides and warm-up. It gets the values of the round's next event instead, or, without
 * one, those that the parser has for the start of the round.
 * @param events in tick order; changed in place
 */
export function settleFreezeEnds(events: readonly DemoEvent[]): void {
  const ticksOf = (name: string) =>
    new Set(events.filter((event) => event.event_name === name).map(({ tick }) => tick));
  const starts = ticksOf("round_start");
  // At the round's end the round itself may already be counted.
  const ends = ticksOf("round_end");
  for (const [index, event] of events.entries()) {
    if (event.event_name !== "round_freeze_end" || !starts.has(event.tick)) continue;
    const later = events.slice(index).find(({ tick }) => tick > event.tick);
    const beginnings = events.filter(({ event_name: name, tick }) => name === "round_start" && tick === event.tick);
    const source = later && !ends.has(later.tick) ? later : beginnings.at(-1)!;
    for (const field of returnedGameFields) event[field] = source[field];
  }
}
