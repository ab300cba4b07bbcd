import { expect, test } from "vitest";
import { freezeEndTick, walkedArea } from "../../../scene/testing/synthetic-track.ts";
import { addMatch } from "../../maps/testing/add-match.ts";
import { noPictures } from "../../matches/no-pictures.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { decisiveTick, findPicture, requestPictures, stillName } from "../match-replay/match-pictures.ts";
import { runPicturesJob } from "./pictures-job.ts";

const run = { signal: new AbortController().signal, attempt: 0, isLastAttempt: false, isAutomatic: false };
const hall = walkedArea(-400, -300, 400, 300);

async function withMatch() {
  const fresh = await freshServices();
  const { services } = fresh;
  const user = { steam_id: "76561198000000001", steam_name: "player" };
  const { id } = await services.database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
  const { sha256 } = await addMatch(services, id, hall, services.now());
  const moment = (tick: number) => ({ tick, kind: "kill", weapon: "ak47", flags: [], victim: null });
  const highlight = (tick: number) => ({
    ...{ demo_sha256: sha256, type: "one_tap" as const, round: 1, player: 0, kills_count: 1, score: 1, reason: "" },
    ...{ start_tick: tick, end_tick: tick, moments: JSON.stringify([moment(tick)]) },
  });
  const ticks = [freezeEndTick + 300, freezeEndTick + 900];
  await services.database.insertInto("highlights").values(ticks.map(highlight)).execute();
  const demo = () =>
    services.database.selectFrom("demos").selectAll().where("sha256", "=", sha256).executeTakeFirstOrThrow();
  return { ...fresh, sha256, demo };
}

const begins = async (stream: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(stream as unknown as BodyInit).arrayBuffer());

test("A match gets a still of every highlight and its ground, in one file, once", async () => {
  const { services, remove, sha256, demo } = await withMatch();
  try {
    await runPicturesJob(services, { sha256 }, run);
    const { pictures_key: key } = await demo();
    if (!key) throw new Error("There are no pictures.");
    const rows = await services.database.selectFrom("highlights").selectAll().execute();
    for (const name of [...rows.map(stillName), "floor-0.webp", "floor-0-small.webp"]) {
      const place = await findPicture(services, key, name);
      if (!place) throw new Error(`There is no ${name}.`);
      const bytes = await begins(await services.blobs.read(key, { start: place.at, end: place.at + place.bytes - 1 }));
      expect(bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 12)).toBe("RIFFWEBP");
    }
    expect(await findPicture(services, key, "ground.bin")).not.toBeNull();
    expect(await findPicture(services, key, "still-9-1.webp")).toBeNull();

    await runPicturesJob(services, { sha256 }, run);
    expect((await demo()).pictures_key).toBe(key);
  } finally {
    await remove();
  }
});

test("Of a highlight decides what completes it; of a moment marked by hand without a kill, its middle", () => {
  const span = { start_tick: 100, end_tick: 301 };
  expect(decisiveTick({ ...span, type: "clutch_1v2", moments: [] })).toBe(301);
  expect(decisiveTick({ ...span, type: "custom", moments: [] })).toBe(201);
  expect(decisiveTick({ ...span, type: "custom", moments: [{ tick: 150 }, { tick: 170 }] })).toBe(170);
});

test("Pictures are asked for once in half a day, and of nothing that is gone", async () => {
  const { services, remove, sha256, demo } = await withMatch();
  const isAsked = () => services.jobs.isOpen("pictures", { sha256 });
  try {
    await requestPictures(services, { ...(await demo()), track_key: null });
    expect(await isAsked()).toBe(false);
    const stale = await demo();
    await requestPictures(services, stale);
    expect(await isAsked()).toBe(true);
    await services.jobs.cancel("pictures", { sha256 });
    // Two looks at the same moment are one.
    await requestPictures(services, stale);
    await requestPictures(services, await demo());
    expect(await isAsked()).toBe(false);
    await services.database.updateTable("demos").set(noPictures).execute();
    await requestPictures(services, await demo());
    expect(await isAsked()).toBe(true);
  } finally {
    await remove();
  }
});
