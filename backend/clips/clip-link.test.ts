import { type KyselyPlugin, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { clipLink, setVisibility } from "./clip-link.ts";

test("The calls of one page ask for a clip's address once, and a new one is known at once", async () => {
  const { services, remove } = await freshServices("embedded");
  onTestFinished(remove);
  let asked = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === "SelectQueryNode") asked++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const watched = { ...services, database: services.database.withPlugin(counting) };
  expect(await clipLink(watched, 1)).toBeNull();
  await sql`
    INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'Nova');
    INSERT INTO matches (id, user_id, source, status) VALUES ('m1', 1, 'upload', 'completed');
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key)
    VALUES (1, 'm1', repeat('a', 64), '', '{}', '{}', 'completed', 'v', 'p', 't')`.execute(services.database);
  asked = 0;
  expect(await Promise.all([clipLink(watched, 1), clipLink(watched, 1)])).toEqual([
    { ownerId: 1, linkKey: null },
    { ownerId: 1, linkKey: null },
  ]);
  expect(asked).toBe(1);
  const before = clipLink(watched, 1);
  await setVisibility(watched, 1, 1, "unlisted");
  await before;
  expect((await clipLink(watched, 1))?.linkKey).toMatch(/^[\w-]{22}$/);
});
