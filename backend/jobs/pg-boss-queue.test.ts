import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { pino } from "pino";
import { expect, test } from "vitest";
import { type OpenDatabase, openDatabase } from "../storage/open-database.ts";
import { forkSource } from "../storage/testing/fork-source.ts";
import { freshPlace } from "../storage/testing/fresh-database.ts";
import { type JobContext, type JobQueue, PermanentJobError, PostponeJob } from "./job-queue.ts";
import { openJobQueue } from "./pg-boss-queue.ts";

const log = pino({ level: "silent" });
const kinds = ["embedded", "postgres"] as const;
type Place = Awaited<ReturnType<typeof freshPlace>>;

async function openAt(place: Place): Promise<{ opened: OpenDatabase; jobs: JobQueue; close(): Promise<void> }> {
  const opened = await openDatabase(place, log);
  const jobs = await openJobQueue(opened, place, log);
  return {
    opened,
    jobs,
    async close() {
      await jobs.stop();
      await opened.close();
    },
  };
}

async function withQueue(
  kind: (typeof kinds)[number],
  work: (queue: { opened: OpenDatabase; jobs: JobQueue; place: Place }) => Promise<void>,
): Promise<void> {
  const place = await freshPlace(kind);
  const queue = await openAt(place);
  try {
    await work({ ...queue, place });
  } finally {
    await queue.close();
    rmSync(place.DATA_DIR, { recursive: true });
  }
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const untilAborted = ({ signal }: JobContext) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });

const heard = (child: ChildProcess) => {
  const messages: unknown[] = [];
  child.on("message", (message) => messages.push(message));
  return messages;
};

const hangingWorker = (place: Place) =>
  forkSource(new URL("./testing/hanging-worker.ts", import.meta.url), [place.DATA_DIR, place.DATABASE_URL ?? ""]);

for (const kind of kinds) {
  test(`jobs run once each, in the order they were sent, on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs }) => {
      const sent = Array.from({ length: 20 }, (_, n) => `match-${n}`);
      for (const matchId of sent) await jobs.send("import", { matchId });
      expect((await jobs.depth()).import).toEqual({ waiting: 20, running: 0 });
      const began: string[] = [];
      await jobs.work("import", 1, async ({ matchId }, { attempt, isLastAttempt }) => {
        expect({ attempt, isLastAttempt }).toEqual({ attempt: 0, isLastAttempt: false });
        began.push(matchId);
      });
      await until(() => began.length === 20);
      expect(began).toEqual(sent);
      await until(async () => (await jobs.depth()).import.running === 0);
      expect((await jobs.depth()).import).toEqual({ waiting: 0, running: 0 });
    });
  });

  test(`several workers take jobs at once on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs }) => {
      let together = 0;
      let release = () => {};
      const all = new Promise<void>((resolve) => {
        release = resolve;
      });
      await jobs.work("render", 3, async () => {
        together++;
        await all;
      });
      for (let clipId = 1; clipId <= 4; clipId++) await jobs.send("render", { clipId });
      await until(() => together === 3);
      await until(async () => (await jobs.depth()).render.waiting === 1);
      expect((await jobs.depth()).render).toEqual({ waiting: 1, running: 3 });
      release();
      await until(() => together === 4);
    });
  });

  test(`a job is sent exactly when its transaction commits on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs, opened }) => {
      const ran: string[] = [];
      await jobs.work("import", 2, async ({ matchId }) => {
        ran.push(matchId);
      });
      const rolledBack = opened.database.transaction().execute(async (transaction) => {
        await jobs.send("import", { matchId: "never" }, transaction);
        throw new Error("changed my mind");
      });
      await expect(rolledBack).rejects.toThrow("changed my mind");
      await opened.database.transaction().execute(async (transaction) => {
        await jobs.send("import", { matchId: "committed" }, transaction);
        expect((await opened.pool.query("SELECT 1").catch((error) => error)).message).toContain("open transaction");
      });
      await until(() => ran.length > 0);
      expect(ran).toEqual(["committed"]);
      expect((await jobs.depth()).import.waiting).toBe(0);
    });
  });

  test(`a failing job is tried again, and one beyond repair is not, on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs, opened }) => {
      const attempts: [string, number, boolean][] = [];
      await jobs.work("import", 1, async ({ matchId }, { attempt, isLastAttempt }) => {
        attempts.push([matchId, attempt, isLastAttempt]);
        if (matchId === "cs-go") throw new PermanentJobError("This is a demo of CS:GO.");
        if (attempt < 4) throw new Error(`download broke off (${attempt})`);
      });
      await jobs.send("import", { matchId: "cs-go" });
      await until(async () => (await jobs.failures(10)).length === 1);
      const [failure] = await jobs.failures(10);
      expect(failure).toMatchObject({
        name: "import",
        payload: { matchId: "cs-go" },
        error: "This is a demo of CS:GO.",
      });
      expect(failure!.failedAt).toBeInstanceOf(Date);

      await jobs.send("import", { matchId: "flaky" });
      const skipBackOff = () => opened.pool.query("UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'");
      await until(async () => {
        await skipBackOff();
        return attempts.length === 6;
      });
      expect(attempts).toEqual([
        ["cs-go", 0, false],
        ["flaky", 0, false],
        ["flaky", 1, false],
        ["flaky", 2, false],
        ["flaky", 3, false],
        ["flaky", 4, true],
      ]);

      // An operator puts the failed one back: it runs once more.
      await jobs.requeue(failure!.id);
      await until(() => attempts.length === 7);
      expect(attempts[6]).toEqual(["cs-go", 1, false]);
      await expect(jobs.requeue("no-such-job")).rejects.toThrow("no failed job with the id no-such-job");
    });
  });

  test(`a job that is tried again keeps its place before those sent later on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs, opened }) => {
      const began: string[] = [];
      let finishSecond = () => {};
      const second = new Promise<void>((resolve) => {
        finishSecond = resolve;
      });
      for (const matchId of ["first", "second", "third"]) await jobs.send("import", { matchId });
      await jobs.work("import", 1, async ({ matchId }, { attempt }) => {
        began.push(matchId);
        if (matchId === "first" && attempt === 0) throw new Error("the host is down");
        if (matchId === "second") await second;
      });
      await until(() => began.length === 2);
      // The wait before the second try is over while another job runs.
      await opened.pool.query("UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'");
      finishSecond();
      await until(() => began.length === 4);
      expect(began).toEqual(["first", "second", "first", "third"]);
    });
  });

  test(`a postponed job is due again after a while, unpunished, and lets others go first meanwhile, on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs, opened }) => {
      const began: [string, number][] = [];
      let isDiskShort = true;
      await jobs.work("import", 1, async ({ matchId }, { attempt }) => {
        began.push([matchId, attempt]);
        if (matchId === "large" && isDiskShort) throw new PostponeJob("The disk is short.", 3_600_000);
      });
      await jobs.send("import", { matchId: "large" });
      await jobs.send("import", { matchId: "small" });
      await until(() => began.length === 2);
      expect(await jobs.isOpen("import", { matchId: "large" })).toBe(true);
      expect(await jobs.failures(10)).toEqual([]);
      const { rows } = await opened.pool.query(
        "SELECT extract(epoch FROM start_after - now())::float8 AS seconds FROM pgboss.job WHERE state = 'created'",
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]!.seconds).toBeGreaterThan(60);
      expect(rows[0]!.seconds).toBeLessThanOrEqual(300);
      isDiskShort = false;
      await opened.pool.query("UPDATE pgboss.job SET start_after = now() WHERE state = 'created'");
      await until(() => began.length === 3);
      expect(began).toEqual([
        ["large", 0],
        ["small", 0],
        ["large", 0],
      ]);
    });
  });

  test(`cancelling takes waiting jobs away and stops the running one on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs }) => {
      const began: number[] = [];
      let reason: unknown;
      await jobs.work("render", 1, async ({ clipId }, context) => {
        began.push(clipId);
        if (clipId === 1) {
          await untilAborted(context).catch((error) => {
            reason = error;
            throw error;
          });
        }
      });
      for (const clipId of [1, 2, 3]) await jobs.send("render", { clipId });
      await until(() => began.length === 1);
      await jobs.cancel("render", { clipId: 2 });
      await jobs.cancel("render", { clipId: 1 });
      await until(() => began.length === 2);
      expect(began).toEqual([1, 3]);
      expect(String(reason)).toContain("cancelled");
      await until(async () => (await jobs.depth()).render.running === 0);
      expect((await jobs.depth()).render).toEqual({ waiting: 0, running: 0 });
      expect(await jobs.failures(10)).toEqual([]);
    });
  });

  test(`stopping gives a running job back, whole, unpunished and in its place, on ${kind}`, async () => {
    const place = await freshPlace(kind);
    const first = await openAt(place);
    let began = false;
    await first.jobs.work("render", 2, async (_, context) => {
      began = true;
      await untilAborted(context);
    });
    await first.jobs.send("render", { clipId: 1 });
    await until(() => began);
    await first.close();

    const second = await openAt(place);
    await second.jobs.send("render", { clipId: 2 });
    const attempts: [number, number][] = [];
    await second.jobs.work("render", 1, async ({ clipId }, { attempt }) => {
      attempts.push([clipId, attempt]);
    });
    await until(() => attempts.length === 2);
    expect(attempts).toEqual([
      [1, 0],
      [2, 0],
    ]);
    await second.close();
    rmSync(place.DATA_DIR, { recursive: true });
  });

  test(`another worker finishes the job of a killed process on ${kind}`, async () => {
    const place = await freshPlace(kind);
    const worker = hangingWorker(place);
    const said = heard(worker);
    await until(() => said.includes("ready"));
    worker.send("orphan");
    await until(() => said.includes("orphan"));
    worker.kill("SIGKILL");
    await until(() => worker.signalCode === "SIGKILL");

    const next = await openAt(place);
    await next.jobs.send("import", { matchId: "later" });
    const finished: [string, number][] = [];
    await next.jobs.work("import", 1, async ({ matchId }, { attempt }) => {
      finished.push([matchId, attempt]);
    });
    await until(() => finished.length === 2);
    const both = [
      ["orphan", 1],
      ["later", 0],
    ];
    // A server waits for a lost heartbeat before it knows of the death: meanwhile a later job may go first, once.
    if (kind === "embedded") expect(finished).toEqual(both);
    else expect(finished.sort()).toEqual(both.sort());
    await next.close();
    rmSync(place.DATA_DIR, { recursive: true });
  });
}

test("a job that runs in another process can be cancelled from here", async () => {
  await withQueue("postgres", async ({ jobs, place }) => {
    const worker = hangingWorker(place);
    const said = heard(worker);
    await until(() => said.includes("ready"));
    await jobs.send("import", { matchId: "elsewhere" });
    await until(() => said.includes("elsewhere"));
    await jobs.cancel("import", { matchId: "elsewhere" });
    await until(() => said.includes("elsewhere aborted"));
    expect((await jobs.depth()).import).toEqual({ waiting: 0, running: 0 });
    worker.kill("SIGKILL");
  });
});

test("two processes on one server share the jobs without doing one twice", async () => {
  await withQueue("postgres", async ({ jobs, place }) => {
    const other = await openAt(place);
    const runs = new Map<string, number>();
    const count = async ({ matchId }: { matchId: string }) => {
      runs.set(matchId, (runs.get(matchId) ?? 0) + 1);
    };
    await jobs.work("import", 2, count);
    await other.jobs.work("import", 2, count);
    await Promise.all(Array.from({ length: 60 }, (_, n) => jobs.send("import", { matchId: `match-${n}` })));
    await until(() => runs.size === 60);
    expect([...runs.values()].every((times) => times === 1)).toBe(true);
    await other.close();
  });
});
