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
  const starts = new Map<number, DemoEvent>();
  // At the round's end the round itself may already be counted.
  const ends = new Set<number>();
  for (const event of events) {
    if (event.event_name === "round_start") starts.set(event.tick, event);
    if (event.event_name === "round_end") ends.add(event.tick);
  }
  let later = 0;
  for (const event of events) {
    while (later < events.length && events[later]!.tick <= event.tick) later++;
    const start = event.event_name === "round_freeze_end" && starts.get(event.tick);
    if (!start) continue;
    const next = events[later];
    const source = next && !ends.has(next.tick) ? next : start;
    for (const field of returnedGameFields) event[field] = source[field];
  }
}
