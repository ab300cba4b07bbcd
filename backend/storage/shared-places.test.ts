import { expect, onTestFinished, test, vi } from "vitest";
import { takeSharedPlace } from "./shared-places.ts";
import { freshServices } from "./testing/fresh-services.ts";

test("Places are counted in all processes together, given back to whoever asks, and one of a dead process is free after a minute", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { services, remove } = await freshServices("postgres");
  onTestFinished(remove);
  let now = new Date();
  const web = () => ({ ...services, now: () => now });
  const [one, other] = [web(), web()];
  const at = async () => {
    const rows = services.database.selectFrom("rate_counters").select("window_start").orderBy("key");
    return (await rows.execute()).map(({ window_start }) => window_start.getTime());
  };
  const taken = await Promise.all([one, other, one, other].map((process) => takeSharedPlace(process, "uploads:1", 2)));
  expect(taken.filter(Boolean)).toHaveLength(2);
  expect(await takeSharedPlace(other, "uploads:2", 2)).not.toBeNull();
  await taken.find(Boolean)!();
  const again = await takeSharedPlace(other, "uploads:1", 2);
  expect(again).not.toBeNull();
  expect(await takeSharedPlace(one, "uploads:1", 2)).toBeNull();

  // Held for longer than a lease, while its process lives.
  for (let quarter = 0; quarter < 6; quarter++) {
    now = new Date(now.getTime() + 15_000);
    vi.advanceTimersByTime(15_000);
    await vi.waitFor(async () => expect(new Set(await at())).toEqual(new Set([now.getTime()])));
  }
  expect(await takeSharedPlace(one, "uploads:1", 2)).toBeNull();

  // Without its timers, as if its process had died.
  vi.clearAllTimers();
  now = new Date(now.getTime() + 61_000);
  const next = await takeSharedPlace(one, "uploads:1", 1);
  expect(next).not.toBeNull();
  // What the dead process gives back late no longer belongs to it.
  for (const release of taken) await release?.();
  await again!();
  expect(await takeSharedPlace(other, "uploads:1", 1)).toBeNull();
});
