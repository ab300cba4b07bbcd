import { type Kysely, sql } from "kysely";

/** Where players are notified about what is ready, and the result of each message. Decision 165. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE webhooks (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('discord', 'script')),
      url text NOT NULL CHECK (char_length(url) <= 2048),
      secret text CHECK (char_length(secret) <= 100),
      events text[] NOT NULL CHECK (char_length(array_to_string(events, ',')) <= 200),
      is_on boolean NOT NULL DEFAULT true,
      off_reason text CHECK (char_length(off_reason) <= 500),
      created_at timestamptz NOT NULL
    );
    CREATE INDEX webhooks_user ON webhooks (user_id);
    CREATE UNIQUE INDEX webhooks_one_discord ON webhooks (user_id) WHERE kind = 'discord';

    CREATE TABLE webhook_deliveries (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      webhook_id bigint NOT NULL REFERENCES webhooks ON DELETE CASCADE,
      user_id bigint NOT NULL,
      message_id text NOT NULL CHECK (char_length(message_id) <= 64),
      event text NOT NULL CHECK (char_length(event) <= 32),
      subject text NOT NULL CHECK (char_length(subject) <= 200),
      body text CHECK (char_length(body) <= 20000),
      state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
      created_at timestamptz NOT NULL DEFAULT now(),
      due_at timestamptz,
      leased_until timestamptz,
      tries integer NOT NULL DEFAULT 0,
      tried_at timestamptz,
      status integer,
      took_ms integer,
      problem text CHECK (char_length(problem) <= 500),
      UNIQUE (webhook_id, event, subject)
    );
    CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (user_id) WHERE state = 'waiting';
    CREATE INDEX webhook_deliveries_user ON webhook_deliveries (user_id, id);
    CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
  `.execute(database);
}
