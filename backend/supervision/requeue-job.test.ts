import { expect, onTestFinished, test } from "vitest";
import { failRender, type RenderTarget, startRendering } from "../clips/clip-life.ts";
import { addFormat } from "../clips/create/add-format.ts";
import { type JobName, type JobPayloads, PermanentJobError } from "../jobs/job-queue.ts";
import type { Services } from "../services.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { NotRequeued, requeueCause, requeueJob } from "./requeue-job.ts";

async function withServices(kind: "embedded" | "postgres"): Promise<{ services: Services; userId: number }> {
  const { services, remove } = await freshServices(kind);
  onTestFinished(remove);
  const { id: userId } = await services.database
    .insertInto("users")
    .values({ steam_id: "76561199900000001", steam_name: "a player" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { services, userId };
}

/** Makes every job of a queue fail for good, and takes no more. @returns their ids */
async function failAll<Name extends JobName>(
  { jobs }: Services,
  name: Name,
  count: number,
  before: (payload: JobPayloads[Name]) => Promise<unknown> = async () => {},
): Promise<string[]> {
  await jobs.work(name, 1, async (payload) => {
    await before(payload);
    throw new PermanentJobError("no ffmpeg");
  });
  await expect.poll(async () => (await jobs.failures(count)).length, { timeout: 10_000 }).toBe(count);
  await jobs.stop();
  return (await jobs.failures(count)).map(({ id }) => id);
}

test("A format that its player has asked for again is not put back as well: one job draws it", async () => {
  const { services, userId } = await withServices("embedded");
  const { database, jobs } = services;
  const sha256 = "0".repeat(64);
  const texts = { map: "de_nuke", game_mode: "", server_name: "", players: "[]", teams: "[]" };
  const timing = JSON.stringify({ tickRate: 64, rounds: [] });
  await database
    .insertInto("demos")
    .values({ sha256, ...texts, timing, track_key: "demos/a/track.bin", detector_version: 1 })
    .execute();
  await database
    .insertInto("matches")
    .values({ id: "match0000001", user_id: userId, source: "url", demo_sha256: sha256, status: "completed" })
    .execute();
  const spec = JSON.stringify({ width: 1280, height: 720, framesPerSecond: 60, segments: [] });
  const files = { video_key: "v", poster_key: "p", thumbnail_key: "t", video_bytes: 5, duration_seconds: 5 };
  const { id: clipId } = await database
    .insertInto("clips")
    .values({
      ...{ user_id: userId, match_id: "match0000001", demo_sha256: sha256, name: "Ace", spec, settings: "{}" },
      ...{ ...files, status: "completed", progress: 1 },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await addFormat(services, userId, clipId, "vertical");
  const fail = async (target: RenderTarget) => {
    await startRendering(database, target);
    await failRender(database, target, "It could not be drawn.");
  };
  const [failed] = await failAll(services, "render", 1, fail);
  await addFormat(services, userId, clipId, "vertical");
  await expect(requeueJob(services, failed!)).rejects.toThrow(`The clip ${clipId} is being made already.`);
  expect((await jobs.line("render")).map(({ payload }) => payload)).toEqual([{ clipId, format: "vertical" }]);
  await jobs.cancel("render", { clipId, format: "vertical" });
  await fail({ clipId, format: "vertical" });
  await requeueJob(services, failed!);
  expect(await jobs.line("render")).toHaveLength(1);
});

test("Of two presses at once one puts a job back, and the other says that it has not failed", async () => {
  const { services, userId } = await withServices("postgres");
  for (const clipId of [1, 2, 3]) await services.jobs.send("share", { clipId }, { ownerId: userId });
  const [first] = await failAll(services, "share", 3);
  const presses = await Promise.allSettled([requeueJob(services, first!), requeueJob(services, first!)]);
  const refusals = presses.flatMap((press) => (press.status === "rejected" ? [press.reason] : []));
  expect(refusals).toHaveLength(1);
  expect(refusals[0]).toBeInstanceOf(NotRequeued);
  const cause = { name: "share", cause: "no ffmpeg" } as const;
  const both = await Promise.all([requeueCause(services, cause), requeueCause(services, cause)]);
  expect(both.reduce((sum, { requeued }) => sum + requeued, 0)).toBe(2);
  expect(await services.jobs.line("share")).toHaveLength(3);
});
