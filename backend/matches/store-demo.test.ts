import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hostileName, unseenMark } from "../../contract/testing/hostile-name.ts";
import { detectHighlights } from "../highlights/index.ts";
import { MatchBuilder } from "../highlights/testing/round-builder.ts";
import { type FreshServices, freshServices } from "../storage/testing/fresh-services.ts";
import { storeDemo } from "./store-demo.ts";

let fresh: FreshServices;
beforeAll(async () => {
  fresh = await freshServices();
});
afterAll(() => fresh.remove());

const long = `${hostileName}\u0000名👩‍👩‍👧x\ud800`.repeat(10_000);

test("whatever the texts of a demo were, its rows are small and hold no character that turns a page around", async () => {
  const { services } = fresh;
  const record = new MatchBuilder()
    .round({ winner: "a" }, (round) =>
      round.kill(20, "a1", "b1", { weapon: "knife" }).kill(30, "a1", "b2", { weapon: "awp", noScope: true }),
    )
    .build();
  const highlights = detectHighlights(record).map((highlight) => ({
    ...highlight,
    reason: long,
    moments: highlight.moments.map((moment) => ({ ...moment, weapon: long })),
  }));
  expect(highlights).toHaveLength(2);
  const folder = mkdtempSync(join(services.scratchDirectory, "long-"));
  const trackPath = join(folder, "track");
  writeFileSync(trackPath, "not drawn in this test");
  const sha256 = "a".repeat(64);
  await storeDemo(services, {
    sha256,
    record: {
      ...record,
      map: long,
      gameMode: long,
      serverName: long,
      players: record.players.map((player) => ({ ...player, name: long })),
      teams: [
        { ...record.teams[0], name: long },
        { ...record.teams[1], name: long },
      ],
    },
    highlights,
    trackPath,
    playedAt: null,
    raw: null,
  });
  rmSync(folder, { recursive: true });
  const { rows } = await sql<{ demo: string }>`
    SELECT row_to_json(d)::text || (SELECT json_agg(h)::text FROM highlights h) AS demo FROM demos d`.execute(
    services.database,
  );
  expect(rows[0]!.demo.length).toBeLessThan(8000);
  // PostgreSQL puts a line break between the rows of an aggregate.
  expect(rows[0]!.demo.replaceAll("\n", "")).not.toMatch(unseenMark);
  const demo = await services.database.selectFrom("demos").selectAll().executeTakeFirstOrThrow();
  expect(Array.from(demo.map).length).toBeLessThanOrEqual(64);
  expect(Array.from(demo.server_name).length).toBeLessThanOrEqual(128);
});

test("highlights of a demo that newer rules read otherwise have the map that it has by then, those that stay as well", async () => {
  const { services } = fresh;
  const record = new MatchBuilder()
    .round({ winner: "a" }, (round) => round.kill(20, "a1", "b1", { weapon: "knife" }))
    .build();
  const folder = mkdtempSync(join(services.scratchDirectory, "anew-"));
  const trackPath = join(folder, "track");
  const sha256 = "b".repeat(64);
  const highlights = detectHighlights(record);
  const store = (map: string) => {
    // Taken away by what stores it.
    writeFileSync(trackPath, "not drawn in this test");
    return storeDemo(services, {
      sha256,
      record: { ...record, map },
      highlights,
      trackPath,
      playedAt: null,
      raw: null,
    });
  };
  const mapsOfHighlights = async () => {
    const rows = await services.database
      .selectFrom("highlights")
      .select(["id", "map"])
      .where("demo_sha256", "=", sha256)
      .execute();
    return rows.map(({ id, map }) => [id, map]);
  };
  await store("workshop/1234/de_cache");
  const [[id, before]] = (await mapsOfHighlights()) as [[number, string]];
  expect(before).toBe("workshop/1234/de_cache");
  await services.database.updateTable("demos").set({ detector_version: 0 }).where("sha256", "=", sha256).execute();
  await store("de_cache");
  rmSync(folder, { recursive: true });
  expect(await mapsOfHighlights()).toEqual([[id, "de_cache"]]);
});
