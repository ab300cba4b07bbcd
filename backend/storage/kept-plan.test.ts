import { type Kysely, sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { anyOf } from "./any-of.ts";
import { keptPlan, keptPlanName } from "./kept-plan.ts";
import type { Database } from "./schema.ts";
import { freshDatabase } from "./testing/fresh-database.ts";

/** Kept statements of a connection. The embedded database has one connection; a pool returns the same one again. */
async function keptPlans(database: Kysely<Database>): Promise<{ statement: string; generic: number }[]> {
  const { rows } = await sql<{ statement: string; generic: number }>`
    SELECT statement, generic_plans AS generic FROM pg_prepared_statements WHERE name LIKE 'kept\_%'`.execute(database);
  return rows;
}

describe.each(["embedded", "postgres"] as const)("%s", (kind) => {
  let database: Kysely<Database>;
  beforeEach(async () => {
    const fresh = await freshDatabase(kind);
    database = fresh.database;
    return fresh.remove;
  });

  test("what a kept plan finds is what the same query finds, in the same types", async () => {
    await sql`
        INSERT INTO users (steam_id, steam_name, avatar_url) VALUES
          ('76561198000000001', 'O''Neil "x" \\ ü 勝', NULL), ('76561198000000002', '$1', 'a')`.execute(database);
    const asked = database
      .selectFrom("users")
      .select(["id", "steam_id", "steam_name", "avatar_url", "created_at"])
      .select((row) => [
        row.eb("avatar_url", "is", null).as("isBare"),
        sql<number[]>`ARRAY[id, id + 1]`.as("ids"),
        sql<object>`jsonb_build_object('id', id)`.as("json"),
      ])
      .where("steam_name", "=", sql<string>`ANY(${['O\'Neil "x" \\ ü 勝', "$1"]}::text[])`)
      .where("created_at", "<=", new Date(Date.now() + 60_000))
      .orderBy("id");
    const expected = await asked.execute();
    expect(expected).toHaveLength(2);
    for (let time = 0; time < 8; time++) expect(await asked.modifyFront(keptPlan).execute()).toEqual(expected);
    const ids = expected.map(({ id }) => id);
    for (const some of [ids, ids.slice(0, 1), []]) {
      const found = database.selectFrom("users").modifyFront(keptPlan).select("id").where("id", "=", anyOf(some));
      expect((await found.execute()).map(({ id }) => id).sort()).toEqual(some);
    }
  });

  test("it is planned a few times and then never again", async () => {
    const user = (id: number) =>
      database.selectFrom("users").modifyFront(keptPlan).select("steam_id").where("id", "=", id);
    // One after the other, so that a pool returns the same connection each time.
    for (let id = 1; id <= 12; id++) await user(id).execute();
    const plans = await keptPlans(database);
    expect(plans).toHaveLength(1);
    expect(plans[0]?.statement).toContain('"steam_id"');
    expect(Number(plans[0]?.generic)).toBeGreaterThanOrEqual(5);
  });

  test("a call that fails, alone or in a transaction, leaves the connection and the plan as they were", async () => {
    const share = (of: number) =>
      database.selectFrom("users").modifyFront(keptPlan).select(sql<number>`1 / ${of}::int`.as("share"));
    await sql`INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'one')`.execute(database);
    await expect(share(0).execute()).rejects.toThrow("division by zero");
    expect(await share(1).execute()).toEqual([{ share: 1 }]);
    const inTransaction = database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("users").execute();
      const asked = transaction.selectFrom("users").modifyFront(keptPlan).select(sql<number>`1 / ${0}::int`.as("x"));
      // For the first time, so that it is parsed inside the transaction.
      await sql`INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000002', 'two')`.execute(transaction);
      await asked.execute();
    });
    await expect(inTransaction).rejects.toThrow("division by zero");
    expect(await share(1).execute()).toEqual([{ share: 1 }]);
  });

  test("a column that another process adds, or an index, ends no kept plan", async () => {
    const named = database.selectFrom("users").modifyFront(keptPlan).select(["id", "steam_name"]);
    await sql`INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'one')`.execute(database);
    for (let time = 0; time < 8; time++) await named.execute();
    await sql`ALTER TABLE users ADD COLUMN motto text`.execute(database);
    await sql`CREATE INDEX ON users (motto)`.execute(database);
    expect(await named.execute()).toEqual([{ id: expect.any(Number), steam_name: "one" }]);
  });
});

test("behind a pooler that hands a connection's statements to others, nothing is kept and every answer comes", async () => {
  const { database, remove } = await freshDatabase("postgres");
  try {
    await sql`INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'one')`.execute(database);
    const named = database.selectFrom("users").modifyFront(keptPlan).select("steam_name");
    await named.execute();
    expect(await keptPlans(database)).toHaveLength(1);
    // As if the next statement reached another server.
    await sql`DEALLOCATE ALL`.execute(database);
    expect(await named.execute()).toEqual([{ steam_name: "one" }]);
    expect(await named.execute()).toEqual([{ steam_name: "one" }]);
    expect(await keptPlans(database)).toEqual([]);
  } finally {
    await remove();
  }
});

test("what is kept names its columns", () => {
  expect(() => keptPlanName('select /* kept plan */ * from "users"')).toThrow("names its columns");
  expect(() => keptPlanName('select /* kept plan */ "users".* from "users"')).toThrow("names its columns");
  expect(keptPlanName('select /* kept plan */ count(*) from "users"')).toMatch(/^kept_[0-9a-f]{32}$/);
  expect(keptPlanName('select * from "users"')).toBeNull();
});
