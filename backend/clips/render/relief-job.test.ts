import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { segmentOf, specOf, syntheticTrack, walkedArea } from "../../../scene/testing/synthetic-track.ts";
import { mapInForce } from "../../maps/map-files.ts";
import { runMapJob } from "../../maps/map-job.ts";
import { addMatch } from "../../maps/testing/add-match.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { drawnReliefFile, prepareGround } from "../../video/clip-ground.ts";
import { keptRelief, mapReliefName, matchReliefName } from "../../video/kept-reliefs.ts";
import { runReliefJob } from "./relief-job.ts";

const run = { signal: new AbortController().signal, attempt: 0, isLastAttempt: false, isAutomatic: false };
const frame = { width: 1280, height: 720 };
const hall = walkedArea(-400, -300, 400, 300);

async function withPlayer() {
  const fresh = await freshServices();
  const user = { steam_id: "76561198000000001", steam_name: "player" };
  const { database } = fresh.services;
  const { id } = await database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
  return { ...fresh, userId: id };
}

test("A match that was imported has its ground drawn before the first clip, as the clip would draw it, once", async () => {
  const { services, remove, userId } = await withPlayer();
  try {
    const { sha256, trackKey } = await addMatch(services, userId, hall, services.now());
    const name = matchReliefName(trackKey, frame);
    expect(await keptRelief(services, name)).toBeNull();
    await runReliefJob(services, { sha256 }, run);
    const kept = (await keptRelief(services, name)) ?? "";
    const track = syntheticTrack([{ name: "hero", team: 0, pose: { x: 0, y: 0 } }], hall);
    const spec = { ...specOf([segmentOf(1)]), ...frame };
    const drawn = await prepareGround(track, { spec, outputDirectory: services.scratchDirectory });
    await drawn.left;
    expect(readFileSync(kept).equals(readFileSync(join(services.scratchDirectory, drawnReliefFile)))).toBe(true);

    const { ino } = statSync(kept);
    await runReliefJob(services, { sha256 }, run);
    expect(statSync(kept).ino).toBe(ino);
  } finally {
    await remove();
  }
});

test("A match whose clips are drawn on its map has no ground of its own; the map's is asked for where it is not kept", async () => {
  const { services, remove, userId } = await withPlayer();
  try {
    await addMatch(services, userId, walkedArea(-500, -400, 500, 400), services.now());
    const { sha256, trackKey } = await addMatch(services, userId, hall, services.now());
    await runMapJob(services, { map: "de_test" }, run);
    const hash = (await mapInForce(services, "de_test")) ?? "";
    const ofMap = (await keptRelief(services, mapReliefName(hash, frame))) ?? "";
    await runReliefJob(services, { sha256 }, run);
    expect(await keptRelief(services, matchReliefName(trackKey, frame))).toBeNull();
    expect(await services.jobs.isOpen("map", { map: "de_test" })).toBe(false);
    rmSync(ofMap);
    await runReliefJob(services, { sha256 }, run);
    expect(await services.jobs.isOpen("map", { map: "de_test" })).toBe(true);
  } finally {
    await remove();
  }
});

test("Of a match that was deleted meanwhile nothing is drawn", async () => {
  const { services, remove, userId } = await withPlayer();
  try {
    const { sha256, trackKey } = await addMatch(services, userId, hall, services.now());
    await services.blobs.delete(trackKey);
    await runReliefJob(services, { sha256 }, run);
    await services.database.updateTable("demos").set({ track_key: null }).execute();
    await runReliefJob(services, { sha256 }, run);
    expect(await keptRelief(services, matchReliefName(trackKey, frame))).toBeNull();
    await runReliefJob(services, { sha256: "0".repeat(64) }, run);
  } finally {
    await remove();
  }
});
