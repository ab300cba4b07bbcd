import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { migratedPlace } from "../storage/testing/fresh-database.ts";
import { dieAtWork, openAt, until, withQueue } from "./testing/queues.ts";

/**
 * A server takes ten seconds to notice a death, with nothing to compute, so these tests wait in parallel. Each uses its own `expect`: that
 * of the module belongs to whichever test was last active, and stops polling once that has ended.
 */
const atOnce = { concurrent: true };

for (const kind of ["embedded", "postgres"] as const) {
  test(`another worker finishes the job of a killed process on ${kind}`, atOnce, async ({ expect }) => {
    const place = await migratedPlace(kind);
    await dieAtWork(place, "orphan", (worker) => worker.send("orphan"));

    const next = await openAt(place);
    await next.jobs.send("import", { matchId: "later" }, { ownerId: 2 });
    const finished: [string, number][] = [];
    await next.jobs.work("import", 1, async ({ matchId }, { attempt }) => {
      finished.push([matchId, attempt]);
    });
    await until(() => finished.length === 2);
    const both = [
      ["orphan", 1],
      ["later", 0],
    ];
    // A server waits for a lost heartbeat before it notices the death: meanwhile a later job may go first, once.
    if (kind === "embedded") expect(finished).toEqual(both);
    else expect(finished.sort()).toEqual(both.sort());
    await next.close();
    rmSync(place.DATA_DIR, { recursive: true });
  });
}

test(
  "a worker that died before the clock was set back loses its job to another all the same",
  atOnce,
  async ({ expect }) => {
    await withQueue("postgres", async ({ jobs, opened, place }) => {
      await dieAtWork(place, "orphan", () => jobs.send("import", { matchId: "orphan" }, { ownerId: 1 }));
      await opened.pool.query("UPDATE pgboss.job SET heartbeat_on = now() + interval '1 hour' WHERE state = 'active'");
      await opened.pool.query(
        `UPDATE pgboss.queue SET monitor_claim_on = now() + interval '1 hour', monitor_on = now() + interval '1 hour',
         maintain_on = now() + interval '1 hour'`,
      );
      const next = await openAt(place);
      const attempts: number[] = [];
      await next.jobs.work("import", 1, async (_, { attempt }) => {
        attempts.push(attempt);
      });
      await until(() => attempts.length === 1);
      expect(attempts).toEqual([1]);
      await next.close();
    });
  },
);

test("a job whose process died in its last try has failed, and is said so", atOnce, async ({ expect }) => {
  await withQueue("postgres", async ({ jobs, opened, place }) => {
    await dieAtWork(place, "doomed", () => jobs.send("import", { matchId: "doomed" }, { ownerId: 1 }));
    await opened.pool.query("UPDATE pgboss.job SET retry_count = retry_limit WHERE state = 'active'");
    const next = await openAt(place);
    await next.jobs.work("import", 1, async () => {
      throw new Error("It was tried once more.");
    });
    await expect
      .poll(() => jobs.failures(5), { timeout: 60_000 })
      .toMatchObject([{ payload: { matchId: "doomed" }, error: "The process that ran this job ended in every try." }]);
    await next.close();
  });
});

/** The machine may be busy, but the rule does not change. */
const takenUpWithinMs = 20_000;

test.each([
  ["first", 0],
  ["second", 1],
] as const)("the job of a worker that dies is begun anew within 20 s, at its %s death", async (_, earlierDeaths) => {
  await withQueue("postgres", async ({ jobs, opened, place }) => {
    const began: string[] = [];
    let letGo = () => {};
    const busy = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    // The surviving process has its place taken until the other one has died.
    await jobs.send("import", { matchId: "in hand" }, { ownerId: 2 });
    await jobs.work("import", 1, async ({ matchId }) => {
      began.push(matchId);
      if (matchId === "in hand") await busy;
    });
    await until(() => began.length === 1);
    await dieAtWork(place, "orphan", async (worker) => {
      await new Promise((resolve) => worker.send("orphan", resolve));
    });
    const died = performance.now();
    await opened.pool.query("UPDATE pgboss.job SET retry_count = $1 WHERE state = 'active' AND group_id = '1'", [
      earlierDeaths,
    ]);
    letGo();
    await until(() => began.length === 2);
    expect(began[1]).toBe("orphan");
    expect(performance.now() - died).toBeLessThan(takenUpWithinMs);
  });
});
