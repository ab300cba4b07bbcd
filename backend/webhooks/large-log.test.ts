import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { webhookLimits } from "../../contract/webhooks.ts";
import { startWebhookReceiver } from "../../tests/services/webhook-receiver.ts";
import type { Services } from "../services.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { announce } from "./announce.ts";
import { takeDueDelivery } from "./deliver.ts";
import { addWebhook, testWebhook, webhooksOf } from "./webhook-settings.ts";

/** Rows of the log that queries looked at since they were counted last, by what looked: `pg_stat_user_tables`. */
async function rowsRead({ database }: Services, work: () => Promise<unknown>) {
  const read = async () => {
    await sql`SELECT pg_stat_force_next_flush()`.execute(database);
    const { rows } = await sql<{ whole: number; byIndex: number }>`
      SELECT seq_tup_read::int AS whole, idx_tup_fetch::int AS "byIndex" FROM pg_stat_user_tables
      WHERE relname = 'webhook_deliveries'`.execute(database);
    return rows[0]!;
  };
  const before = await read();
  await work();
  const after = await read();
  return { whole: after.whole - before.whole, byIndex: after.byIndex - before.byIndex };
}

test("Among very many messages a page of the log, a new message and the next to be sent are found by index", async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const { services, remove } = await freshServices("postgres", { WEBHOOK_ALLOW_HOSTS: receiver.host });
  onTestFinished(remove);
  const { database } = services;
  const users = [1, 2].map((n) => ({ steam_id: `7656119990000000${n}`, steam_name: "a player" }));
  const [player, other] = await database.insertInto("users").values(users).returning("id").execute();
  const hook = (userId: number) => addWebhook(services, userId, { url: receiver.url, events: ["clip.ready"] });
  const [own, others] = [await hook(player!.id), await hook(other!.id)];
  for (const [webhookId, userId, count] of [
    [own.id, player!.id, 60_000],
    [others.id, other!.id, 40_000],
  ]) {
    await sql`
      INSERT INTO webhook_deliveries (webhook_id, user_id, message_id, event, subject, body, state, tries, tried_at)
      SELECT ${webhookId}, ${userId}, 'msg_' || n, 'match.imported', n::text, '{}', 'sent', 1, now()
      FROM generate_series(1, ${count}::int) n`.execute(database);
  }
  await sql`ANALYZE`.execute(database);

  let shown: Awaited<ReturnType<typeof webhooksOf>> | undefined;
  const page = await rowsRead(services, async () => {
    shown = await webhooksOf(services, player!.id);
  });
  expect(shown?.deliveries).toHaveLength(webhookLimits.deliveriesShown);
  expect(shown?.deliveries.every(({ event }) => event === "match.imported")).toBe(true);
  expect(page).toEqual({ whole: 0, byIndex: webhookLimits.deliveriesShown });

  const sending = await rowsRead(services, async () => {
    await announce(database, { event: "clip.ready", userId: player!.id, id: 1 });
    expect(await takeDueDelivery(services)).toMatchObject({ event: "clip.ready", user_id: player!.id });
    expect(await takeDueDelivery(services)).toBeNull();
  });
  expect(sending.whole).toBe(0);
  expect(sending.byIndex).toBeLessThan(50);
});

test("However often it is tested, the log keeps the newest tests alone", async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const { services, remove } = await freshServices("embedded", { WEBHOOK_ALLOW_HOSTS: receiver.host });
  onTestFinished(remove);
  const { database } = services;
  const user = { steam_id: "76561199900000001", steam_name: "a player" };
  const { id: userId } = await database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
  const { id } = await addWebhook(services, userId, { url: receiver.url, events: ["clip.ready"] });
  await announce(database, { event: "clip.ready", userId, id: 1 });
  await sql`
    INSERT INTO webhook_deliveries (webhook_id, user_id, message_id, event, subject, state)
    SELECT ${id}, ${userId}, 'msg_' || n, 'test', 'test ' || n, 'sent' FROM generate_series(1, 500) n`.execute(
    database,
  );
  await testWebhook(services, userId, id);
  const rows = await database.selectFrom("webhook_deliveries").select(["event", "subject"]).orderBy("id").execute();
  const tests = rows.filter(({ event }) => event === "test");
  expect(tests).toHaveLength(webhookLimits.deliveriesShown);
  expect(tests[0]).toMatchObject({ subject: "test 452" });
  // Messages are kept as long as the log goes back.
  expect(rows[0]).toMatchObject({ event: "clip.ready" });
});
