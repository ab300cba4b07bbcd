import { type KyselyPlugin, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { ClipFilter } from "../../../contract/schemas/clip-lists.ts";
import type { Services } from "../../services.ts";
import { addUpCounts, userTotals } from "../../storage/counts.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { setVisibility } from "../clip-link.ts";
import { deleteClip } from "../delete-clip.ts";
import { toggleLike } from "../likes.ts";
import { newestGroups } from "./newest-groups.ts";

const matches = 150;
const lists = [
  { completedOnly: false, filter: {} },
  { completedOnly: true, filter: {} },
  { completedOnly: true, filter: { map: "de_nuke" } },
];

/** A player with many matches of one to seven clips, a third of them on Nuke, and a compilation. */
async function filled(): Promise<Services> {
  const { services, remove } = await freshServices("embedded");
  onTestFinished(remove);
  await sql`
    INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'Nova'), ('76561198000000002', 'Rio');
    INSERT INTO matches (id, user_id, source, status) SELECT 'm' || n, 1, 'upload', 'completed' FROM generate_series(1, ${sql.lit(matches)}) n;
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key, found_by, created_at)
    SELECT 1, 'm' || n, repeat('a', 64), '', '{"width": 1280, "height": 720}', '{}', CASE WHEN n % 11 = 0 THEN 'failed' ELSE 'completed' END, 'v', 'p', 't',
      ARRAY[CASE WHEN n % 3 = 0 THEN 'map:de_nuke' ELSE 'map:de_mirage' END], now() - (n * 7 % 150 + c * 31 % 13) * interval '1 hour'
    FROM generate_series(1, ${sql.lit(matches)}) n, generate_series(1, 1 + n % 7) c;
    INSERT INTO clips (user_id, name, spec, settings, status, video_key, poster_key, thumbnail_key, created_at)
    VALUES (1, '', '{"width": 1280, "height": 720}', '{}', 'completed', 'v', 'p', 't', now() - interval '90 hours')`.execute(
    services.database,
  );
  return services;
}

/** By looking at every clip. */
async function allGroups({ database }: Services, completedOnly: boolean, { map }: ClipFilter) {
  const { rows } = await sql<{ match_id: string | null }>`
    SELECT match_id FROM clips WHERE user_id = 1
      ${completedOnly ? sql`AND status = 'completed' AND link_key IS NULL` : sql``} ${map ? sql`AND found_by @> ${[`map:${map}`]}::text[]` : sql``}
    GROUP BY match_id ORDER BY max(created_at) DESC, (array_agg(id ORDER BY created_at DESC, id DESC))[1] DESC`.execute(
    database,
  );
  return rows.map(({ match_id }) => match_id);
}

const groupsFrom = async (services: Services, list: (typeof lists)[number], offset: number, count: number) =>
  newestGroups(services, await userTotals(services.database, 1), { ownerId: 1, ...list, offset, count });

test("The pages of a player's clips, in whatever order they are asked for, are those of all their clips, after every change of them", async () => {
  const services = await filled();
  const { database } = services;
  const changes: [string, () => Promise<unknown>][] = [
    ["nothing", async () => {}],
    ["the changes were added up", () => addUpCounts(database)],
    [
      "an old match has a new clip",
      () =>
        sql`
        INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, queue_slot, found_by)
        SELECT 1, match_id, repeat('a', 64), '', '{"width": 1280, "height": 720}', '{}', 1, found_by FROM clips
        WHERE match_id IS NOT NULL ORDER BY created_at LIMIT 1`.execute(database),
    ],
    [
      "the video of it is done",
      () =>
        sql`UPDATE clips SET status = 'completed', queue_slot = NULL, video_key = 'v', poster_key = 'p', thumbnail_key = 't' WHERE status = 'queued'`.execute(
          database,
        ),
    ],
    ["the newest clip is unlisted", async () => setVisibility(services, 1, await newest(services), "unlisted")],
    ["the newest clip is deleted", async () => deleteClip(services, 1, await newest(services))],
    ["a match is deleted, with its clips", () => database.deleteFrom("matches").where("id", "=", "m20").execute()],
    [
      "one clip takes the place of another, and no count changes",
      async () => {
        await deleteClip(services, 1, await newest(services));
        await sql`
          INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key, found_by)
          SELECT 1, match_id, demo_sha256, '', spec, '{}', 'completed', 'v', 'p', 't', found_by FROM clips
          WHERE match_id IS NOT NULL AND status = 'completed' ORDER BY created_at LIMIT 1`.execute(database);
      },
    ],
    [
      "the last change is undone by its opposite",
      async () => {
        await setVisibility(services, 1, await newest(services), "unlisted");
        await groupsFrom(services, lists[1]!, 0, 6);
        await setVisibility(services, 1, await newest(services), "public");
      },
    ],
  ];
  for (const [what, change] of changes) {
    await change();
    for (const list of lists) {
      const all = await allGroups(services, list.completedOnly, list.filter);
      expect(all.length).toBeGreaterThan(40);
      const everyPage = all.flatMap((_, at) => (at % 6 === 0 ? [at] : []));
      for (const offset of [0, 5, all.length - 3, 20, all.length, ...everyPage]) {
        expect(await groupsFrom(services, list, offset, 6), `${what}, page from ${offset} on`).toEqual(
          all.slice(offset, offset + 6),
        );
      }
    }
  }
});

test("Pages one after the other repeat no match and leave none out, however many are of one moment", async () => {
  const services = await filled();
  await sql`UPDATE clips SET created_at = date_trunc('day', created_at)`.execute(services.database);
  const all = await allGroups(services, false, {});
  const shown: (string | null)[] = [];
  for (let offset = 0; offset < all.length; offset++) shown.push(...(await groupsFrom(services, lists[0]!, offset, 1)));
  expect(shown).toEqual(all);
});

test("A clip is seen whose change a process of the version before has added up", async () => {
  const services = await filled();
  const { database } = services;
  const before = await groupsFrom(services, lists[0]!, 0, 6);
  const { listChanges } = await userTotals(database, 1);
  await sql`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, queue_slot, created_at)
    VALUES (1, 'm149', repeat('a', 64), '', '{"width": 1280, "height": 720}', '{}', 1, now() + interval '1 hour')`.execute(
    database,
  );
  await addUpCounts(database);
  await database.updateTable("user_totals").set({ list_changes: listChanges }).where("user_id", "=", 1).execute();
  expect(await groupsFrom(services, lists[0]!, 0, 6)).toEqual(
    ["m149", ...before].filter((id, at) => id !== "m149" || at === 0).slice(0, 6),
  );
});

test("A late page is walked to once, however often its clips are liked and viewed", async () => {
  const services = await filled();
  const clipId = await newest(services);
  let walks = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      if (JSON.stringify(node).includes('"walked"')) walks++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const watched = { ...services, database: services.database.withPlugin(counting) };
  const latePage = () => groupsFrom(watched, lists[1]!, 100, 6);
  const page = await latePage();
  expect(walks).toBe(1);
  await toggleLike(services, 2, clipId);
  await services.database.updateTable("clips").set({ views_count: 7 }).where("id", "=", clipId).execute();
  expect(await latePage()).toEqual(page);
  expect(walks).toBe(1);
  await deleteClip(services, 1, clipId);
  await latePage();
  expect(walks).toBe(2);
});

async function newest({ database }: Services): Promise<number> {
  const row = await database
    .selectFrom("clips")
    .select("id")
    .where("status", "=", "completed")
    .where("match_id", "is not", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  return row.id;
}
