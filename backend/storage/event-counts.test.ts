import { expect, test } from "vitest";
import { countEvent, deleteOldCounters, isEventAllowed } from "./event-counts.ts";
import { freshServices } from "./testing/fresh-services.ts";

test.each(["embedded", "postgres"] as const)(
  "Of fifty events at once exactly ten are within a limit of ten (%s)",
  async (kind) => {
    const { services: real, remove } = await freshServices(kind);
    try {
      let time = Date.parse("2026-11-21T12:00:00Z");
      const services = { ...real, now: () => new Date(time) };
      const count = (key: string) => countEvent(services, key, 10, 60_000);
      const events = await Promise.all(Array.from({ length: 50 }, () => count("a")));
      expect(events.filter((event) => event.allowed)).toHaveLength(10);
      expect(await count("b")).toEqual({ allowed: true, retryAfterSeconds: 60 });

      time += 59_000;
      expect(await count("a")).toEqual({ allowed: false, retryAfterSeconds: 1 });
      time += 1000;
      expect(await count("a")).toEqual({ allowed: true, retryAfterSeconds: 60 });

      await deleteOldCounters(services, 500);
      const keys = await services.database.selectFrom("rate_counters").select("key").execute();
      expect(keys).toEqual([{ key: "a" }]);
    } finally {
      await remove();
    }
  },
);

test("A clock that is set back keeps nobody waiting longer than a window, and makes no room", async () => {
  const { services: real, remove } = await freshServices();
  try {
    let time = Date.parse("2026-11-21T12:00:00Z");
    const services = { ...real, now: () => new Date(time) };
    for (let event = 0; event < 2; event++) await countEvent(services, "a", 2, 60_000);
    time -= 3_600_000;
    expect(await isEventAllowed(services, "a", 2, 60_000)).toEqual({ allowed: false, retryAfterSeconds: 60 });
    expect(await countEvent(services, "a", 2, 60_000)).toEqual({ allowed: false, retryAfterSeconds: 60 });
    time += 60_000;
    expect(await isEventAllowed(services, "a", 2, 60_000)).toEqual({ allowed: true, retryAfterSeconds: 60 });
    expect(await countEvent(services, "a", 2, 60_000)).toEqual({ allowed: true, retryAfterSeconds: 60 });
  } finally {
    await remove();
  }
});
