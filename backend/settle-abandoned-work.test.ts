import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { importGivenUp } from "./matches/match-life.ts";
import { settleAbandonedWork } from "./settle-abandoned-work.ts";
import { freshServices } from "./storage/testing/fresh-services.ts";
import { outsideTransaction } from "./storage/transaction-guard.ts";
import { requeueJob } from "./supervision/requeue-job.ts";

test("work without a job is given up, unless it is so young that its job may be on its way", async () => {
  const { services, remove } = await freshServices();
  try {
    const { database, jobs } = services;
    const { id: userId } = await database
      .insertInto("users")
      .values({ steam_id: "76561199999980000", steam_name: "waits" })
      .returning("id")
      .executeTakeFirstOrThrow();
    const minutes = (count: number) => new Date(services.now().getTime() + count * 60_000);
    const made = {
      "no job": minutes(-2),
      "a job": minutes(-2),
      young: minutes(-0.5),
      "before the clock went back": minutes(60),
    };
    for (const [id, created_at] of Object.entries(made)) {
      await database.insertInto("matches").values({ id, user_id: userId, source: "url", created_at }).execute();
    }
    await jobs.send("import", { matchId: "a job" }, { ownerId: userId });
    await settleAbandonedWork(services);
    const rows = await database.selectFrom("matches").select(["id", "status", "error"]).execute();
    const failed = rows.filter(({ status }) => status === "failed");
    expect(failed.map(({ id }) => id).sort()).toEqual(["before the clock went back", "no job"]);
    for (const { error } of failed) expect(error).toBe(importGivenUp.sentence);
  } finally {
    await remove();
  }
});

test("however much waits, what is abandoned is found in a few statements", async () => {
  const { services, remove } = await freshServices("postgres");
  try {
    const { database, jobs } = services;
    const created_at = new Date(services.now().getTime() - 120_000);
    const waiting = Array.from({ length: 30 }, (_, index) => index);
    const users = await database
      .insertInto("users")
      .values(waiting.map((index) => ({ steam_id: `${76561199999981000n + BigInt(index)}`, steam_name: "waits" })))
      .returning("id")
      .execute();
    for (const [index, { id }] of users.entries()) {
      const match = { id: `match ${index}`, user_id: id, source: "url" as const, created_at };
      await database.insertInto("matches").values(match).execute();
      await jobs.send("import", { matchId: match.id }, { ownerId: id });
      const clip = {
        ...{ user_id: id, match_id: match.id, demo_sha256: "0".repeat(64), name: "", spec: "{}", settings: "{}" },
        ...{ status: "queued" as const, queue_slot: 1, created_at },
      };
      const made = await database.insertInto("clips").values(clip).returning("id").executeTakeFirstOrThrow();
      // The last one's clip lost its job; the job of one of its formats does not count.
      await jobs.send("render", { clipId: made.id, ...(index === 29 ? { format: "vertical" } : {}) }, { ownerId: id });
    }
    const said = vi.spyOn(pg.Client.prototype, "query");
    try {
      await settleAbandonedWork(services);
      // This includes the transaction and the statements about the one clip.
      expect(said.mock.calls.length).toBeLessThan(20);
    } finally {
      said.mockRestore();
    }
    const failed = await database.selectFrom("clips").select("match_id").where("status", "=", "failed").execute();
    expect(failed).toEqual([{ match_id: "match 29" }]);
    expect(await database.selectFrom("matches").select("id").where("status", "=", "failed").execute()).toEqual([]);
  } finally {
    await remove();
  }
});

test("what an operator puts back to work is not given up, whenever others look for abandoned work meanwhile", async () => {
  const { services, remove } = await freshServices("postgres");
  onTestFinished(remove);
  const { database, jobs } = services;
  const { id: ownerId } = await database
    .insertInto("users")
    .values({ steam_id: "76561199999982000", steam_name: "waits" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const created_at = new Date(services.now().getTime() - 120_000);
  const match = { id: "again", user_id: ownerId, source: "url" as const, status: "failed" as const, created_at };
  await database.insertInto("matches").values(match).execute();
  await jobs.send("import", { matchId: "again" }, { ownerId });
  await sql`UPDATE pgboss.job SET state = 'failed', completed_on = now() WHERE name = 'import'`.execute(database);
  const [failed] = await jobs.failures(1);
  const standing = () =>
    database.selectFrom("matches").select("status").where("id", "=", "again").executeTakeFirstOrThrow();

  // Another worker looks as soon as the row is open and before the job follows.
  const requeue = jobs.requeue.bind(jobs);
  const watched = vi.spyOn(jobs, "requeue").mockImplementation(async (...given) => {
    await outsideTransaction(() => settleAbandonedWork(services));
    await requeue(...given);
  });
  await requeueJob(services, failed!.id);
  watched.mockRestore();
  expect(await standing()).toEqual({ status: "queued" });
  expect(await jobs.isOpen("import", { matchId: "again" })).toBe(true);

  // It found the row without a job, and the job is put back before it can fail the row.
  await sql`UPDATE pgboss.job SET state = 'failed', completed_on = now() WHERE name = 'import'`.execute(database);
  const allOpen = jobs.allOpen.bind(jobs);
  vi.spyOn(jobs, "allOpen").mockImplementationOnce(async (transaction) => {
    const seen = await allOpen(transaction);
    await outsideTransaction(() => requeueJob(services, failed!.id));
    return seen;
  });
  await settleAbandonedWork(services);
  expect(await standing()).toEqual({ status: "queued" });
});
