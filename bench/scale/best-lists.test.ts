import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { topListsJson } from "../../backend/clips/lists/top-lists.ts";
import { freshServices } from "../../backend/storage/testing/fresh-services.ts";
import type { TopHighlights } from "../../contract/schemas/clip-lists.ts";
import { fillDatabase } from "./fill.ts";

const ranked = {
  best_clutches: ["clutch_1v2", "clutch_1v3", "clutch_1v4", "clutch_1v5"],
  best_multikills: ["ace", "quad_kill", "triple_kill"],
  best_noscopes: ["no_scope", "wallbang", "through_smoke", "midair_kill", "nade_kill", "molly_kill"],
} as const;

// With so few clips the first type alone does not fill ten places, and clips of the next types rank among them.
test.each([60, 150])(
  "a best list reads only what can be among its ten, and has the ten best of all: %i clips",
  async (clips) => {
    const { services, remove } = await freshServices("postgres");
    onTestFinished(remove);
    const session = new pg.Client({ connectionString: services.config.DATABASE_URL });
    await session.connect();
    onTestFinished(() => session.end());
    const run = async (text: string) => {
      const results = (await session.query(text)) as unknown as pg.QueryResult | pg.QueryResult[];
      return (Array.isArray(results) ? results.at(-1) : results) ?? { rows: [] };
    };
    await fillDatabase(run, clips, { isFilled: false, say: () => {} });
    const lists = JSON.parse(await topListsJson(services, null)) as TopHighlights;
    for (const [name, types] of Object.entries(ranked)) {
      const { rows } = await session.query<{ id: number; best: number }>(
        `SELECT clips.id::int, max(highlights.score) AS best FROM highlights
       JOIN clip_highlights ON clip_highlights.highlight_id = highlights.id
       JOIN clips ON clips.id = clip_highlights.clip_id
       WHERE highlights.type = ANY($1) AND clips.status = 'completed' AND clips.link_key IS NULL AND clips.match_id IS NOT NULL
       GROUP BY clips.id ORDER BY best DESC`,
        [types],
      );
      const scores = new Map(rows.map(({ id, best }) => [id, best]));
      const shown = lists[name as keyof typeof ranked].map(({ id }) => scores.get(id));
      expect(shown, name).toEqual(rows.slice(0, 10).map(({ best }) => best));
      expect(shown.length).toBeGreaterThan(5);
    }
  },
);
