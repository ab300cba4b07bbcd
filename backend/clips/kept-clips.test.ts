import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { ClipFilter, TopHighlights } from "../../contract/schemas/clip-lists.ts";
import type { RenderStatus } from "../../contract/statuses.ts";
import { stoppedClock } from "../../tests/services/stopped-clock.ts";
import { openServices } from "../open-services.ts";
import type { Services } from "../services.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { clipFiles } from "./clip-files.ts";
import { setVisibility } from "./clip-link.ts";
import { deleteClip } from "./delete-clip.ts";
import { toggleLike } from "./likes.ts";
import { forgetTopLists, topListsJson } from "./lists/top-lists.ts";
import { loadClips } from "./load-clips.ts";

let services: Services;
let remove: () => Promise<void>;
let userId: number;

beforeAll(async () => {
  ({ services, remove } = await freshServices());
  const { database } = services;
  const player = { steam_id: "76561198000000001", steam_name: "before" };
  ({ id: userId } = await database.insertInto("users").values(player).returning("id").executeTakeFirstOrThrow());
  await database.insertInto("matches").values({ id: "match0000001", user_id: userId, source: "url" }).execute();
});
afterAll(() => remove());

const rendered = {
  video_key: "clips/1/video-abcd1234.mp4",
  poster_key: "clips/1/poster-abcd1234.jpg",
  thumbnail_key: "clips/1/thumbnail-abcd1234.jpg",
  video_bytes: 18,
  duration_seconds: 8,
  progress: 1,
};

async function addClip(status: RenderStatus = "completed"): Promise<number> {
  const { id } = await services.database
    .insertInto("clips")
    .values({
      user_id: userId,
      match_id: "match0000001",
      demo_sha256: "0".repeat(64),
      name: "Ace on Mirage",
      spec: JSON.stringify({ width: 1280, height: 720 }),
      settings: JSON.stringify({}),
      status,
      queue_slot: status === "queued" ? 1 : null,
      ...(status === "completed" ? { ...rendered, completed_at: services.now() } : {}),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function rename(name: string): Promise<void> {
  await services.database.updateTable("users").set({ steam_name: name }).where("id", "=", userId).execute();
}

async function newestIds(): Promise<number[]> {
  const lists = JSON.parse(await topListsJson(services, null)) as TopHighlights;
  return lists.newest.map(({ id }) => id);
}

test("A finished clip keeps its player's name for a minute, and its counters not at all", async () => {
  const pass = stoppedClock();
  const id = await addClip();
  const shown = async () => (await loadClips(services, [id])).map(({ clip }) => [clip.user.username, clip.likes_count]);
  await rename("before");
  expect(await shown()).toEqual([["before", 0]]);
  await rename("after");
  await services.database.updateTable("clips").set({ likes_count: 5 }).where("id", "=", id).execute();
  pass(59_999);
  expect(await shown()).toEqual([["before", 5]]);
  pass(2);
  expect(await shown()).toEqual([["after", 5]]);
  await services.database.deleteFrom("clips").where("id", "=", id).execute();
  expect(await shown()).toEqual([]);
});

test("A clip that another process renamed has its new name at once", async () => {
  const id = await addClip();
  const shown = async () => (await loadClips(services, [id])).map(({ clip }) => [clip.name, clip.display_name]);
  expect(await shown()).toEqual([["Ace on Mirage", "Ace on Mirage"]]);
  await services.database.updateTable("clips").set({ name: "Another" }).where("id", "=", id).execute();
  expect(await shown()).toEqual([["Another", "Another"]]);
});

test("A clip in the making is read each time", async () => {
  stoppedClock();
  const id = await addClip("queued");
  const shown = async () => (await loadClips(services, [id])).map(({ clip }) => clip.render_status);
  expect(await shown()).toEqual(["queued"]);
  const ended = { status: "failed", queue_slot: null } as const;
  await services.database.updateTable("clips").set(ended).where("id", "=", id).execute();
  expect(await shown()).toEqual(["failed"]);
});

test("Where a finished clip's files are is looked up once a second", async () => {
  const pass = stoppedClock();
  const id = await addClip();
  const names = async () => (await clipFiles(services, id))?.name;
  expect(await names()).toBe("Ace on Mirage");
  await services.database.updateTable("clips").set({ name: "Another" }).where("id", "=", id).execute();
  pass(999);
  expect(await names()).toBe("Ace on Mirage");
  pass(2);
  expect(await names()).toBe("Another");
});

test("Lists of the home page that are three seconds old are shown once more, and renewed behind that once for all who ask", async () => {
  const pass = stoppedClock();
  forgetTopLists(services);
  const first = await addClip();
  expect(await newestIds()).toContain(first);
  const second = await addClip();
  pass(2999);
  expect(await newestIds()).not.toContain(second);
  const lookUps = vi.spyOn(services.database, "selectFrom");
  onTestFinished(() => lookUps.mockRestore());
  expect(lookUps).not.toHaveBeenCalled();
  pass(2);
  for (const shown of await Promise.all([newestIds(), newestIds(), newestIds()])) expect(shown).not.toContain(second);
  await expect.poll(newestIds).toContain(second);
  const once = lookUps.mock.calls.length;
  expect(once).toBeGreaterThan(0);
  await newestIds();
  // Whether the clips are listed still.
  expect(lookUps.mock.calls).toHaveLength(once + 1);
});

test("Lists that nobody asked for in a minute are not shown any more", async () => {
  const pass = stoppedClock();
  forgetTopLists(services);
  await newestIds();
  const added = await addClip();
  pass(60_001);
  expect(await newestIds()).toContain(added);
});

test("A like changes the number on the card and reads no list, and a deleted clip is shown to nobody", async () => {
  stoppedClock();
  forgetTopLists(services);
  const id = await addClip();
  const likes = async () =>
    (JSON.parse(await topListsJson(services, null)) as TopHighlights).newest.find((clip) => clip.id === id)
      ?.likes_count;
  expect(await likes()).toBe(0);
  await toggleLike(services, userId, id);
  const lookUps = vi.spyOn(services.database, "selectFrom");
  expect(await likes()).toBe(1);
  expect(lookUps).toHaveBeenCalledTimes(1);
  lookUps.mockRestore();
  expect(await deleteClip(services, userId, id)).toBe(true);
  expect(await newestIds()).not.toContain(id);
});

test("What a signed-in visitor reads of the clips in the lists is as it is now, though another process changed it", async () => {
  stoppedClock();
  forgetTopLists(services);
  const id = await addClip();
  await newestIds();
  await toggleLike(services, userId, id);
  const { newest } = JSON.parse(await topListsJson(services, userId)) as TopHighlights;
  expect(newest.find((clip) => clip.id === id)).toMatchObject({ likes_count: 1, user_has_liked: true, is_owner: true });
});

test("A list that cannot be renewed is shown no longer than that takes", async () => {
  const pass = stoppedClock();
  forgetTopLists(services);
  expect(await newestIds()).not.toEqual([]);
  const failing = vi.spyOn(services.database, "selectFrom").mockImplementation(() => {
    throw new Error("no database");
  });
  onTestFinished(() => failing.mockRestore());
  pass(3001);
  await newestIds().catch(String);
  await expect.poll(() => newestIds().catch(String)).toContain("no database");
});

test("Lists that are forgotten while they are worked out go to those who wait, and are not kept", async () => {
  stoppedClock();
  forgetTopLists(services);
  const waiting = newestIds();
  forgetTopLists(services);
  const added = await addClip();
  await waiting;
  expect(await newestIds()).toContain(added);
});

test("Lists that could not be worked out are tried again by the next visitor", async () => {
  stoppedClock();
  forgetTopLists(services);
  const failing = vi.spyOn(services.database, "selectFrom").mockImplementation(() => {
    throw new Error("no database");
  });
  await expect(newestIds()).rejects.toThrow("no database");
  failing.mockRestore();
  expect(await newestIds()).not.toEqual([]);
});

test("However many different lists are asked for at once, two are worked out at a time, and Home's beside them", async () => {
  const asking = new Set<unknown>();
  let most = 0;
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  // Nobody has clips in these lists, so each asks one thing after the other. Lists are kept by database.
  const database = services.database.withPlugin({
    transformQuery({ node, queryId }) {
      // A query within another is no question.
      if (node.kind === "RawNode" || (node.kind === "SelectQueryNode" && node.explain)) asking.add(queryId);
      most = Math.max(most, asking.size);
      return node;
    },
    async transformResult({ result, queryId }) {
      await isAnswered;
      asking.delete(queryId);
      return result;
    },
  });
  const askFor = (filter: ClipFilter) => topListsJson({ ...services, database }, null, filter);
  const narrowed = Array.from({ length: 20 }, (_, number) => askFor({ player: `nobody ${number}` }));
  await expect.poll(() => asking.size).toBe(2);
  const home = askFor({});
  expect(asking.size, "Home waits for no stranger").toBe(3);
  answer();
  const lists = await Promise.all(narrowed);
  expect(new Set(lists).size, "all the same, as nobody has any").toBe(1);
  expect(most).toBe(3);
  await home;
});

test("No visitor is shown a clip that another process deleted or made unlisted, in filtered lists neither", async () => {
  const fresh = await freshServices("postgres");
  const other = await openServices(fresh.services.config);
  onTestFinished(async () => {
    await other.close();
    await fresh.remove();
  });
  const { database } = other.services;
  const player = { steam_id: "76561198000000001", steam_name: "owner" };
  const owner = await database.insertInto("users").values(player).returning("id").executeTakeFirstOrThrow();
  await database.insertInto("matches").values({ id: "match0000001", user_id: owner.id, source: "url" }).execute();
  const add = async () => {
    const clip = {
      ...{ user_id: owner.id, match_id: "match0000001", demo_sha256: "0".repeat(64), name: "Ace on Mirage" },
      ...{ spec: JSON.stringify({ width: 1280, height: 720 }), settings: JSON.stringify({}) },
      ...{ status: "completed" as const, ...rendered, completed_at: new Date(), found_by: ["map:de_mirage"] },
    };
    return (await database.insertInto("clips").values(clip).returning("id").executeTakeFirstOrThrow()).id;
  };
  const [hidden, deleted, left] = [await add(), await add(), await add()];
  const shown = async (filter: object) =>
    (JSON.parse(await topListsJson(fresh.services, null, filter)) as TopHighlights).newest.map(({ id }) => id);
  for (const filter of [{}, { map: "de_mirage" }]) expect(await shown(filter)).toEqual([left, deleted, hidden]);
  await setVisibility(other.services, owner.id, hidden, "unlisted");
  expect(await deleteClip(other.services, owner.id, deleted)).toBe(true);
  for (const filter of [{}, { map: "de_mirage" }]) expect(await shown(filter)).toEqual([left]);
});
