import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { outsideTransaction } from "../../storage/transaction-guard.ts";
import { keepStill, requestStills } from "./moment-stills.ts";

test("A still is kept while its match is looked at by a player who can ask for no more", async () => {
  const { services, remove } = await freshServices("postgres");
  onTestFinished(remove);
  const { database } = services;
  const sha256 = "a".repeat(64);
  await sql`
    INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'Nova');
    INSERT INTO demos (sha256, map, game_mode, server_name, players, teams, timing, detector_version, track_key)
    VALUES (${sql.lit(sha256)}, 'de_nuke', 'Premier', '', '[]', '[]', '{"tickRate": 64, "rounds": []}', 1, 'track');
    INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
    VALUES (${sql.lit(sha256)}, 'custom', 1, 0, 0, -1, '', 1, 2, '[]')`.execute(database);
  const [moment] = await database.selectFrom("highlights").selectAll().execute();
  const highlightId = moment?.id ?? 0;
  for (let asked = 0; asked < 4; asked++) {
    await services.jobs.send("pictures", { sha256, ofMoments: true }, { ownerId: 1 });
  }
  let kept: Promise<void> | undefined;
  const jobs = Object.create(services.jobs) as typeof services.jobs;
  // In the middle of the other transaction, which goes on once this one waits for it.
  jobs.openOf = async (...asked) => {
    await outsideTransaction(async () => {
      kept ??= keepStill(services, { sha256, highlightId, key: "still" });
      await vi.waitFor(async () => {
        const { rows } = await sql`
          SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database);
        expect(rows).not.toEqual([]);
      }, 10_000);
    });
    return services.jobs.openOf(...asked);
  };
  await requestStills({ ...services, jobs }, { id: 1 }, { sha256, track_key: "track" }, moment ? [moment] : []);
  await kept;
  expect(await database.selectFrom("highlights").select("still_key").execute()).toEqual([{ still_key: "still" }]);
});
