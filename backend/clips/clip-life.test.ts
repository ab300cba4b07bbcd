import { expect, test } from "vitest";
import { freshServices } from "../storage/testing/fresh-services.ts";
import {
  completeRender,
  giveRenderBack,
  insertQueuedClip,
  reportRendering,
  requeueRender,
  startRendering,
} from "./clip-life.ts";

test("A clip says how far it is while it is drawn, not before, after or once it was given back", async () => {
  const { services, remove } = await freshServices();
  const { database } = services;
  const { id: userId } = await database
    .insertInto("users")
    .values({ steam_id: "76561199900000001", steam_name: "a player" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const clip = { user_id: userId, name: "Ace", spec: "{}", settings: "{}" };
  const clipId = (await database.transaction().execute((transaction) => insertQueuedClip(transaction, clip)))!;
  const progress = async () =>
    (await database.selectFrom("clips").select("progress").where("id", "=", clipId).executeTakeFirstOrThrow()).progress;
  const report = () => reportRendering(database, { clipId }, 0.4);
  expect(await report(), "queued").toBe(false);
  await startRendering(database, { clipId });
  expect(await report(), "being drawn").toBe(true);
  expect(await progress()).toBe(0.4);
  await giveRenderBack(database, { clipId });
  expect(await report(), "given back").toBe(false);
  expect(await progress()).toBe(0);
  await startRendering(database, { clipId });
  const keys = { video_key: "v", poster_key: "p", thumbnail_key: "t", wide_poster_key: null, share_key: null };
  const files = { ...keys, video_bytes: 1, duration_seconds: 1, moments: [] };
  expect(await completeRender(database, { clipId }, files, services.now())).toBe(true);
  expect(await report(), "complete").toBe(false);
  expect(await progress()).toBe(1);
  await database.deleteFrom("clips").where("id", "=", clipId).execute();
  expect(await report(), "deleted").toBe(false);
  await remove();
});

test("A format that failed takes one of its player's own places again", async () => {
  const { services, remove } = await freshServices();
  const { database } = services;
  const { id: userId } = await database
    .insertInto("users")
    .values({ steam_id: "76561199900000001", steam_name: "a player" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const files = { video_key: "v", poster_key: "p", thumbnail_key: "t" };
  const { id: clipId } = await database
    .insertInto("clips")
    .values({ user_id: userId, name: "Ace", spec: "{}", settings: "{}", status: "completed", ...files })
    .returning("id")
    .executeTakeFirstOrThrow();
  const target = { clipId, format: "vertical" } as const;
  await database
    .insertInto("clip_formats")
    .values({ clip_id: clipId, user_id: userId, format: target.format, status: "failed", error: "It broke off." })
    .execute();
  expect(await database.transaction().execute((transaction) => requeueRender(transaction, target))).toBe("queued");
  const [format] = await database.selectFrom("clip_formats").select(["status", "queue_slot", "error"]).execute();
  expect(format).toEqual({ status: "queued", queue_slot: 1, error: null });
  await remove();
});
