import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { takeDueDelivery } from "./deliver.ts";

const messages = 6;

test("Whoever looks at once takes no message twice, and no two of one player", async () => {
  const { services, remove } = await freshServices("postgres");
  onTestFinished(remove);
  const { database } = services;
  for (let round = 0; round < 10; round++) {
    await sql`TRUNCATE users CASCADE`.execute(database);
    await sql`INSERT INTO users (steam_id, steam_name) SELECT (76561199900000000 + n)::text, 'player ' || n FROM generate_series(1, 2) n`.execute(
      database,
    );
    await sql`
      INSERT INTO webhooks (user_id, kind, url, events, created_at)
      SELECT id, 'discord', 'https://example.org/', '{clip.ready}', now() FROM users`.execute(database);
    await sql`
      INSERT INTO webhook_deliveries (webhook_id, user_id, message_id, event, subject)
      SELECT webhooks.id, user_id, 'msg_' || webhooks.id || '-' || n, 'clip.ready', n FROM webhooks, generate_series(1, ${messages}::int) n`.execute(
      database,
    );
    const taken = await Promise.all(Array.from({ length: messages }, () => takeDueDelivery(services)));
    const players = taken.flatMap((delivery) => delivery?.user_id ?? []);
    expect(players).toHaveLength(2);
    expect(new Set(players).size).toBe(2);
  }
  const clockedBehind = { ...services, now: () => new Date(Date.now() - 2000) };
  expect(await takeDueDelivery(clockedBehind)).toBeNull();
  const setBack = { ...services, now: () => new Date(Date.now() - 3_600_000) };
  expect(await takeDueDelivery(setBack)).not.toBeNull();
});
