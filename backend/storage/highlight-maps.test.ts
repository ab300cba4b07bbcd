import { sql } from "kysely";
import { expect, test } from "vitest";
import { databaseBefore } from "./testing/database-before.ts";

test.each(["embedded", "postgres"] as const)(
  "a %s database of the version before learns on which map highlights were, and keeps it and their players",
  async (kind) => {
    const { database, upgrade, remove } = await databaseBefore(kind, "032-maps-of-highlights");
    try {
      await sql`
        INSERT INTO demos (sha256, map, game_mode, server_name, players, teams, timing, detector_version)
        SELECT repeat(letter, 64), map, 'Premier', '', '[{"name": "Nova", "steam_id": "76561198000000001", "team": 0}]',
          '[]', '{"tickRate": 64, "rounds": []}', 1 FROM (VALUES ('a', 'de_nuke'), ('b', 'de_vertigo')) AS given (letter, map);
        INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
        SELECT repeat(letter, 64), 'ace', 1, 0, 5, 100, '', 1, 2, '[]' FROM unnest(ARRAY['a', 'b']) AS letter;
      `.execute(database);
      await upgrade();
      await sql`
        INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
        VALUES (repeat('b', 64), 'ace', 2, 0, 5, 100, '', 1, 2, '[]')`.execute(database);
      const known = await database.selectFrom("highlights").select(["map", "steam_id"]).orderBy("id").execute();
      expect(known).toEqual(
        ["de_nuke", "de_vertigo", "de_vertigo"].map((map) => ({ map, steam_id: "76561198000000001" })),
      );
    } finally {
      await remove();
    }
  },
);
