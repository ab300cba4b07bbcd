import { once } from "node:events";
import { rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { StoreUnavailableError } from "../storage/blob-store.ts";
import type { OpenDatabase } from "../storage/open-database.ts";
import { freshPlace, migratedPlace } from "../storage/testing/fresh-database.ts";
import { deadlines } from "../waits/deadlines.ts";
import { type JobContext, maxWaitMs, PermanentJobError, PostponeJob } from "./job-queue.ts";
import { JobTable } from "./job-table.ts";
import { SharedRoom } from "./shared-room.ts";
import { hangingWorker, heard, openAt, until, withQueue } from "./testing/queues.ts";

const kinds = ["embedded", "postgres"] as const;

/** Makes retries due and notifies the workers, as sending does: by themselves they only look every second. */
async function skipBackOff({ pool }: OpenDatabase): Promise<void> {
  await pool.query("UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'");
  await pool.query("SELECT pg_notify('clutchcast_jobs', 'import')");
}

const untilAborted = ({ signal }: JobContext) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });

/** Creates players for the fair order. @returns their ids */
async function players({ pool }: OpenDatabase, count: number): Promise<number[]> {
  const { rows } = await pool.query(
    `INSERT INTO users (steam_id, steam_name) SELECT (76561199999000000 + n)::text, 'player ' || n
     FROM generate_series(1, $1::int) AS n RETURNING id`,
    [count],
  );
  return rows.map((row) => Number(row.id));
}

for (const kind of kinds) {
  test(`players take turns, whoever sent first and most, on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs, opened }) => {
      const [ann, ben, cem] = await players(opened, 3);
      const send = (ownerId: number | undefined, ...clipIds: number[]) =>
        clipIds.reduce(async (sent, clipId) => {
          await sent;
          await jobs.send("render", { clipId }, { ownerId: ownerId! });
        }, Promise.resolve());
      await send(ann, 11, 12, 13);
      await send(ben, 21, 22);
      await send(cem, 31);
      const began: number[] = [];
      await jobs.work("render", 1, async ({ clipId }) => {
        began.push(clipId);
        // Sent while Ann was being served for the second time: by then Cem's turn is longer ago than Ben's.
        if (clipId === 12) await send(cem, 32);
      });
      await until(() => began.length === 7);
      expect(began).toEqual([11, 21, 31, 12, 22, 32, 13]);
    });
  });

  test(`the player with the fewest running jobs is next on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs, opened }) => {
      const [ann, ben] = await players(opened, 2);
      const began: number[] = [];
      const finish = new Map<number, () => void>();
      await jobs.work("render", 2, async ({ clipId }) => {
        began.push(clipId);
        await new Promise<void>((resolve) => finish.set(clipId, resolve));
      });
      await jobs.send("render", { clipId: 8 }, { ownerId: ben! });
      for (const clipId of [1, 2]) await jobs.send("render", { clipId }, { ownerId: ann! });
      await until(() => began.length === 2);
      await jobs.send("render", { clipId: 9 }, { ownerId: ben! });
      // Now Ben was served, and Ann was not yet, but one of hers is running.
      finish.get(8)!();
      await until(() => began.length === 3);
      finish.get(9)!();
      await until(() => began.length === 4);
      expect(began).toEqual([8, 1, 9, 2]);
      for (const end of finish.values()) end();
    });
  });

  test(`queues that share room have one job in hand after the other, and leave the rest to other processes, on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs, opened }) => {
      const told: string[] = [];
      const finish: (() => void)[] = [];
      const aside = { places: 1, room: new SharedRoom(1) };
      const handle = async (name: string) => {
        told.push(`${name} begins`);
        await new Promise<void>((resolve) => finish.push(resolve));
        told.push(`${name} ends`);
        if (name === "loop") throw new PermanentJobError("broken");
      };
      await jobs.work("loop", aside, () => handle("loop"));
      await jobs.send("loop", { clipId: 1 }, { ownerId: null });
      await until(() => told.length === 1);
      await jobs.work("share", aside, () => handle("share"));
      await jobs.work("map", aside, () => handle("map"));
      await jobs.send("share", { clipId: 1 }, { ownerId: null });
      await jobs.send("map", { map: "de_nuke" }, { ownerId: null });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(told).toEqual(["loop begins"]);
      const { rows } = await opened.pool.query("SELECT name FROM pgboss.job WHERE state = 'created' ORDER BY name");
      expect(rows).toEqual([{ name: "map" }, { name: "share" }]);
      for (let ended = 0; ended < 3; ended++) {
        await until(() => finish.length === ended + 1);
        finish[ended]?.();
        await until(() => told.length >= 2 * ended + 2);
      }
      const kinds = told.map((line) => line.split(" "));
      expect(kinds.map(([, what]) => what)).toEqual(["begins", "ends", "begins", "ends", "begins", "ends"]);
      const began = kinds.filter((_, i) => i % 2 === 0).map(([name]) => name);
      expect(kinds.filter((_, i) => i % 2 === 1).map(([name]) => name)).toEqual(began);
      expect(began.sort()).toEqual(["loop", "map", "share"]);
    });
  });

  test(`who takes a running job back was served all the same, and gets no place before others on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs, opened }) => {
      const [ann, ben] = await players(opened, 2);
      const began: string[] = [];
      await jobs.work("import", 1, async ({ matchId }, context) => {
        began.push(matchId);
        if (matchId === "ann 1") await untilAborted(context);
      });
      await jobs.send("import", { matchId: "ann 1" }, { ownerId: ann! });
      await until(() => began.length === 1);
      await jobs.send("import", { matchId: "ann 2" }, { ownerId: ann! });
      await jobs.send("import", { matchId: "ben 1" }, { ownerId: ben! });
      await jobs.cancel("import", { matchId: "ann 1" });
      await until(() => began.length === 3);
      expect(began).toEqual(["ann 1", "ben 1", "ann 2"]);
    });
  });

  test(`a player has one import running, however many places there are, on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs, opened }) => {
      const [ann, ben] = await players(opened, 2);
      const began: string[] = [];
      let finishFirst = () => {};
      await jobs.work("import", 8, async ({ matchId }) => {
        began.push(matchId);
        if (matchId === "ann 1") await new Promise<void>((resolve) => (finishFirst = resolve));
      });
      for (const matchId of ["ann 1", "ann 2", "ann 3"]) await jobs.send("import", { matchId }, { ownerId: ann! });
      for (const matchId of ["ben 1", "ben 2"]) await jobs.send("import", { matchId }, { ownerId: ben! });
      await until(() => began.includes("ben 2"));
      await until(async () => (await jobs.depth()).import.running === 1);
      expect(began).toEqual(["ann 1", "ben 1", "ben 2"]);
      finishFirst();
      await until(() => began.length === 5);
      expect(began.slice(3)).toEqual(["ann 2", "ann 3"]);
    });
  });

  test(`jobs go on, in their order, when the clock was set back an hour on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs, opened }) => {
      const began: string[] = [];
      const ahead = (columns: string, by = "1 hour") => {
        const set = columns.split(" ").map((column) => `${column} = ${column} + interval '${by}'`);
        return opened.pool.query(`UPDATE pgboss.job SET ${set.join(", ")} WHERE state < 'active'`);
      };
      await jobs.send("import", { matchId: "waits" }, { ownerId: 1 });
      await ahead("created_on start_after");
      await jobs.send("import", { matchId: "fails once" }, { ownerId: 1 });
      // As long as a retry may have to wait, so the time alone does not tell them apart.
      await ahead("created_on start_after", "1 minute");
      await jobs.send("import", { matchId: "later" }, { ownerId: 1 });
      await jobs.work("import", 1, async ({ matchId }, { attempt }) => {
        began.push(matchId);
        if (matchId === "fails once" && attempt === 0) throw new Error("the host is down");
      });
      await until(() => began.length === 3);
      await ahead("created_on start_after started_on");
      await until(() => began.length === 4);
      expect(began).toEqual(["waits", "fails once", "later", "fails once"]);
    });
  });

  test(`jobs run once each, in the order they were sent, on ${kind}`, async () => {
    await withQueue(kind, async ({ jobs }) => {
      const sent = Array.from({ length: 20 }, (_, n) => `match-${n}`);
      for (const matchId of sent) await jobs.send("import", { matchId }, { ownerId: null });
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
      for (let clipId = 1; clipId <= 4; clipId++) await jobs.send("render", { clipId }, { ownerId: null });
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
        await jobs.send("import", { matchId: "never" }, { ownerId: null, transaction });
        throw new Error("changed my mind");
      });
      await expect(rolledBack).rejects.toThrow("changed my mind");
      await opened.database.transaction().execute(async (transaction) => {
        await jobs.send("import", { matchId: "committed" }, { ownerId: null, transaction });
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
      await jobs.send("import", { matchId: "cs-go" }, { ownerId: null });
      await until(async () => (await jobs.failures(10)).length === 1);
      const [failure] = await jobs.failures(10);
      expect(failure).toMatchObject({
        name: "import",
        payload: { matchId: "cs-go" },
        error: "This is a demo of CS:GO.",
      });
      expect(failure!.failedAt).toBeInstanceOf(Date);

      await jobs.send("import", { matchId: "flaky" }, { ownerId: null });
      await until(async () => {
        await skipBackOff(opened);
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
      for (const matchId of ["first", "second", "third"]) await jobs.send("import", { matchId }, { ownerId: null });
      await jobs.work("import", 1, async ({ matchId }, { attempt }) => {
        began.push(matchId);
        if (matchId === "first" && attempt === 0) throw new Error("the host is down");
        if (matchId === "second") await second;
      });
      await until(() => began.length === 2);
      // The wait before the second try ends while another job runs.
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
      await jobs.send("import", { matchId: "large" }, { ownerId: null });
      await jobs.send("import", { matchId: "small" }, { ownerId: null });
      await until(() => began.length === 2);
      expect(await jobs.isOpen("import", { matchId: "large" })).toBe(true);
      expect(await jobs.failures(10)).toEqual([]);
      const { rows } = await opened.pool.query(
        "SELECT extract(epoch FROM start_after - now())::float8 AS seconds FROM pgboss.job WHERE state = 'retry'",
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]!.seconds).toBeGreaterThan(60);
      expect(rows[0]!.seconds).toBeLessThanOrEqual(300);
      isDiskShort = false;
      await skipBackOff(opened);
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
      for (const clipId of [1, 2, 3]) await jobs.send("render", { clipId }, { ownerId: null });
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
    const place = await migratedPlace(kind);
    const first = await openAt(place);
    let began = false;
    await first.jobs.work("render", 2, async (_, context) => {
      began = true;
      await untilAborted(context);
    });
    await first.jobs.send("render", { clipId: 1 }, { ownerId: null });
    await until(() => began);
    await first.close();

    const second = await openAt(place);
    await second.jobs.send("render", { clipId: 2 }, { ownerId: null });
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
}

test("a job that runs in another process can be cancelled from here", async () => {
  await withQueue("postgres", async ({ jobs, place }) => {
    const worker = hangingWorker(place);
    const said = heard(worker);
    await until(() => said.includes("ready"));
    await jobs.send("import", { matchId: "elsewhere" }, { ownerId: null });
    await until(() => said.includes("elsewhere"));
    await jobs.cancel("import", { matchId: "elsewhere" });
    await until(() => said.includes("elsewhere aborted"));
    expect((await jobs.depth()).import).toEqual({ waiting: 0, running: 0 });
    worker.kill("SIGKILL");
  });
});

test("no player's imports run in two processes at once", async () => {
  await withQueue("postgres", async ({ jobs, opened, place }) => {
    const other = await openAt(place);
    const watcher = new pg.Client({ connectionString: place.DATABASE_URL });
    await watcher.connect();
    const locksWaitedFor = async () =>
      (await watcher.query("SELECT count(*)::int AS locks FROM pg_locks WHERE NOT granted")).rows[0].locks;
    const began: string[] = [];
    const finish: (() => void)[] = [];
    const work = ({ matchId }: { matchId: string }, context: JobContext) => {
      began.push(matchId);
      return Promise.race([new Promise<void>((resolve) => finish.push(resolve)), untilAborted(context)]);
    };
    try {
      const commit: (() => void)[] = [];
      const sending = opened.database.transaction().execute(async (transaction) => {
        await jobs.send("import", { matchId: "sent first" }, { ownerId: 1, transaction });
        await new Promise<void>((resolve) => commit.push(resolve));
      });
      await until(() => commit.length === 1);
      await jobs.send("import", { matchId: "seen first" }, { ownerId: 1 });
      await watcher.query("BEGIN");
      await watcher.query("SELECT 1 FROM pgboss.job WHERE data->>'matchId' = 'seen first' FOR UPDATE");
      await jobs.work("import", 1, work);
      // One process has chosen an import and cannot take it yet; the other one sees another that precedes it.
      await until(async () => (await locksWaitedFor()) === 1);
      commit[0]!();
      await sending;
      await other.jobs.work("import", 1, work);
      await until(async () => began.length > 0 || (await locksWaitedFor()) === 2);
      expect(began).toEqual([]);
      await watcher.query("COMMIT");
      await until(() => began.length === 1);
      finish[0]!();
      await until(() => began.length === 2);
      expect(began).toEqual(["seen first", "sent first"]);
      finish[1]!();
    } finally {
      await watcher.end();
      await other.close();
    }
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
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => jobs.send("import", { matchId: `match-${n}` }, { ownerId: n })),
    );
    await until(() => runs.size === 60);
    expect([...runs.values()].every((times) => times === 1)).toBe(true);
    await other.close();
  });
});

test("a job that met an outage waits as often as that takes, and uses up no try", async () => {
  for (const kind of ["embedded", "postgres"] as const) {
    await withQueue(kind, async ({ jobs, opened }) => {
      const attempts: number[] = [];
      let isAway = true;
      await jobs.work("import", 1, async (_, { attempt }) => {
        attempts.push(attempt);
        if (isAway) throw new Error("not stored", { cause: new StoreUnavailableError("away") });
      });
      await jobs.send("import", { matchId: "patient" }, { ownerId: 1 });
      const rests = async () => {
        const { rows } = await opened.pool.query("SELECT state, started_on FROM pgboss.job WHERE start_after > now()");
        return rows[0];
      };
      for (let times = 1; times <= 8; times++) {
        await expect.poll(rests, { timeout: 20_000, interval: 20 }).toMatchObject({ state: "retry", started_on: null });
        expect(attempts).toEqual(Array(times).fill(0));
        isAway = times < 8;
        await skipBackOff(opened);
      }
      await until(() => attempts.length === 9);
      await expect.poll(() => jobs.isOpen("import", { matchId: "patient" })).toBe(false);
      expect(await jobs.failures(5)).toEqual([]);
    });
  }
});

test("several processes that start at once make the queue's tables and indexes once", async () => {
  const place = await freshPlace("postgres");
  const opened = await Promise.all([1, 2, 3, 4].map(() => openAt(place)));
  const { rows } = await opened[0]!.opened.pool.query("SELECT to_regclass('pgboss.job_failed_latest') AS name");
  expect(rows[0].name).toBe("pgboss.job_failed_latest");
  for (const { close } of opened) await close();
});

test("a job whose processes die one after the other is taken at once the first time, and later each time after that", async () => {
  await withQueue("postgres", async ({ jobs, opened }) => {
    await jobs.send("import", { matchId: "deadly" }, { ownerId: 1 });
    const table = new JobTable(undefined as never, opened);
    const waits: number[] = [];
    for (const tries of [0, 1, 2, 3]) {
      // As a process that took it and died a minute ago leaves it.
      await opened.pool.query(
        "UPDATE pgboss.job SET state = 'active', retry_count = $1, heartbeat_on = now() - interval '1 minute' WHERE name = 'import'",
        [tries],
      );
      const { again, failed } = await table.takeBackSilent(["import"], 10_000);
      expect([again.length, failed.length]).toEqual([1, 0]);
      const { rows } = await opened.pool.query(
        "SELECT round(extract(epoch FROM start_after - now()))::int AS wait FROM pgboss.job WHERE name = 'import' AND state = 'retry'",
      );
      waits.push(rows[0].wait);
    }
    expect(waits[0]).toBeLessThanOrEqual(0);
    expect(waits[1]).toBeGreaterThan(0);
    for (const later of [2, 3]) expect(waits[later]).toBeGreaterThan(waits[later - 1]!);
  });
});

test("a worker tells the end of a job once more when the database's host was lost while it did", async () => {
  const place = await migratedPlace("postgres");
  const address = new URL(place.DATABASE_URL!);
  const port = Number(address.port);
  const network: { socket: Socket; server: Socket; isLost: boolean }[] = [];
  let losses = 0;
  // When asked to pass on the end of a job it passes on nothing any more, on any connection, and reports no error.
  const between = createServer((socket) => {
    const link = { socket, server: connect(port, address.hostname), isLost: false };
    network.push(link);
    socket.on("data", (bytes) => {
      if (losses === 0 && /completed_on = [\s\S]*state = 'completed'/.test(bytes.toString("latin1"))) {
        losses++;
        for (const each of network) each.isLost = true;
      }
      if (!link.isLost) link.server.write(bytes);
    });
    link.server.on("data", (bytes) => link.isLost || socket.write(bytes));
    for (const end of [socket, link.server]) end.on("error", () => {});
  });
  between.listen(0, "127.0.0.1");
  await once(between, "listening");
  address.port = String((between.address() as AddressInfo).port);
  const direct = new pg.Client({ connectionString: place.DATABASE_URL! });
  await direct.connect();
  const queue = await openAt({ ...place, DATABASE_URL: address.href });
  const stateOf = async () => (await direct.query("SELECT state FROM pgboss.job WHERE name = 'import'")).rows[0]?.state;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const hasEnded: string[] = [];
  try {
    await queue.jobs.work("import", 1, async ({ matchId }) => {
      hasEnded.push(matchId);
    });
    await queue.jobs.send("import", { matchId: "told twice" }, { ownerId: 1 });
    const passSecond = async () => {
      await vi.advanceTimersByTimeAsync(1000);
      // Connections are made in the machine's time.
      await direct.query("SELECT pg_sleep(0.05)");
    };
    while (losses === 0) await passSecond();
    expect(await stateOf()).toBe("active");
    // The total for everything that hung and was tried again.
    let seconds = 0;
    for (; (await stateOf()) !== "completed" && seconds < (2 * deadlines.database.answerMs) / 1000; seconds++)
      await passSecond();
    expect(await stateOf()).toBe("completed");
    expect(hasEnded).toEqual(["told twice"]);
  } finally {
    vi.useRealTimers();
    for (const { socket, server } of network) for (const end of [socket, server]) end.destroy();
    await direct.end();
    await queue.close().catch(() => {});
    between.close();
    rmSync(place.DATA_DIR, { recursive: true });
  }
});

test("No pause between two tries is so long that it counts as one of a clock that was set back, and those of a deleted account last for hours", async () => {
  await withQueue("embedded", async ({ opened, jobs }) => {
    const { rows: paused } = await opened.pool.query(
      `SELECT name FROM pgboss.queue WHERE name NOT LIKE '\\_\\_%' AND retry_backoff
       AND (retry_delay_max IS NULL OR retry_delay_max * 1000 > $1)`,
      [maxWaitMs],
    );
    expect(paused).toEqual([]);
    await jobs.send("forget", { userId: 1 }, { ownerId: null });
    let tries = 0;
    await jobs.work("forget", 1, async () => {
      tries++;
      throw new Error("not yet");
    });
    await opened.pool.query("UPDATE pgboss.job SET retry_count = 40 WHERE name = 'forget'");
    await until(async () => {
      const { rows } = await opened.pool.query("SELECT state FROM pgboss.job WHERE name = 'forget'");
      return rows[0].state === "retry";
    });
    // Workers look every second.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(tries).toBe(1);
  });
});
