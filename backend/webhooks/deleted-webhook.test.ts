import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { announce } from "./announce.ts";

test("A webhook that is being deleted undoes nothing of what would be told", async () => {
  const { services, remove } = await freshServices("postgres");
  onTestFinished(remove);
  const { database } = services;
  const { id: userId } = await database
    .insertInto("users")
    .values({ steam_id: "76561199900000001", steam_name: "a player" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await sql`
    INSERT INTO webhooks (user_id, kind, url, events, created_at)
    SELECT ${userId}, 'script', 'https://example.org/' || n, '{clip.ready}', now() FROM generate_series(1, 2) n`.execute(
    database,
  );
  const waits = sql<{ count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const deletion = await database.startTransaction().execute();
  await deletion.deleteFrom("webhooks").where("url", "=", "https://example.org/1").execute();
  const told = database.transaction().execute(async (transaction) => {
    await transaction.updateTable("users").set({ steam_name: "told" }).where("id", "=", userId).execute();
    await announce(transaction, { event: "clip.ready", userId, id: 1 });
  });
  told.catch(() => {});
  await expect.poll(async () => (await waits.execute(database)).rows[0]?.count, { timeout: 5000 }).toBe(1);
  await deletion.commit().execute();
  await told;
  const users = await database.selectFrom("users").select("steam_name").execute();
  expect(users).toEqual([{ steam_name: "told" }]);
  expect(await database.selectFrom("webhook_deliveries").select("webhook_id").execute()).toHaveLength(1);
});
