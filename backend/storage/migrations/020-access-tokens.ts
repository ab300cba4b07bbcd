import { type Kysely, sql } from "kysely";

/**
 * Tokens that players create for their scripts. Decision 166. Revoking one deletes its row. Only the token's hash is stored, and its first
 * characters, by which its player recognises it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE access_tokens (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL CONSTRAINT access_tokens_name_bounded CHECK (char_length(name) <= 64),
      token_hash text NOT NULL UNIQUE CONSTRAINT access_tokens_token_hash_bounded CHECK (token_hash ~ '^[0-9a-f]{64}$'),
      first_characters text NOT NULL
        CONSTRAINT access_tokens_first_characters_bounded CHECK (char_length(first_characters) <= 32),
      scopes text NOT NULL CONSTRAINT access_tokens_scopes_bounded CHECK (char_length(scopes) <= 64),
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz,
      last_used_at timestamptz
    );
    CREATE INDEX access_tokens_user ON access_tokens (user_id);
  `.execute(database);
}
