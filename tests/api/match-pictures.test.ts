import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodePictureFile } from "../../backend/video/picture-file.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { giveMatch, storeReel } from "./stored-reel.ts";

const steamId = "76561199999930000";
const picturesKey = "demos/aa/pictures-1.bin";

let server: RunningApi;
let owner: ApiVisitor;
let path: string;
beforeAll(async () => {
  server = await startApi();
  const { blobs, database, scratchDirectory } = server.services;
  owner = new ApiVisitor(server.url);
  await owner.signIn(steamId, "owner");
  const sha256 = await storeReel(server.services);
  const matchId = await giveMatch(server.services, steamId, sha256);
  const source = join(scratchDirectory, "pictures");
  writeFileSync(source, encodePictureFile(new Map([["floor-0.webp", new Uint8Array(100)]])));
  await blobs.putFile(picturesKey, source, "application/octet-stream");
  await database.updateTable("demos").set({ pictures_key: picturesKey }).where("sha256", "=", sha256).execute();
  path = `/api/matches/${matchId}/pictures/1/floor-0.webp`;
});
afterAll(() => server.close());

test("A browser that has a picture is told so, by whatever way it names it", async () => {
  const first = await owner.request("GET", path);
  expect(first.status).toBe(200);
  expect((await first.bytes()).length).toBe(100);
  const etag = first.headers.get("etag")!;
  for (const [tags, status] of [
    [etag, 304],
    [`W/${etag}`, 304],
    [`"another", ${etag}`, 304],
    ["*", 304],
    ['"another"', 200],
    [`"x${etag}"`, 200],
  ] as const) {
    const answer = await owner.request("GET", path, undefined, { "If-None-Match": tags });
    expect(answer.status, tags).toBe(status);
    await answer.bytes();
  }
});

test("A picture whose file is gone is not found, though it was looked at before", async () => {
  expect((await owner.request("GET", path)).status).toBe(200);
  await server.services.blobs.delete(picturesKey);
  for (const look of ["that finds its place known", "that does not"]) {
    const answer = await owner.request("GET", path);
    expect(answer.status, look).toBe(404);
    await answer.bytes();
  }
});
