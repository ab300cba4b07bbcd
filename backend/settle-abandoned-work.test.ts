import { expect, test } from "vitest";
import { importGivenUp } from "./matches/match-life.ts";
import { settleAbandonedWork } from "./settle-abandoned-work.ts";
import { freshServices } from "./storage/testing/fresh-services.ts";

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
