import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startMapDrawing, startMerge } from "../maps/start-map.ts";
import { RenderError } from "./render-error.ts";
import { startJoin } from "./start-join.ts";
import { startRelief } from "./start-relief.ts";
import type { VideoChildOptions } from "./video-child.ts";

const folder = mkdtempSync(join(tmpdir(), "clutchcast-unfit-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bareChannel = new URL("../children/testing/bare-channel.mjs", import.meta.url).href;
const source = join(folder, "source");
writeFileSync(source, "not read");
const frame = { width: 640, height: 360 };

/** A child that has written every file and reports the given result. */
function saying(result: string): VideoChildOptions {
  const modulePath = join(mkdtempSync(join(folder, "program-")), "child.mjs");
  const files = ["joined.mp4", "relief.bin", "footprints.bin.gz", "relief-640x360.bin"];
  writeFileSync(
    modulePath,
    `import { writeFileSync } from "node:fs";
    import { hear, write } from ${JSON.stringify(bareChannel)};
    hear(({ outputDirectory }) => {
      for (const name of ${JSON.stringify(files)}) writeFileSync(outputDirectory + "/" + name, "made");
      write(${JSON.stringify(`{"type":"done","result":${result}}\n`)}, () => process.exit());
    });`,
  );
  return { entry: { modulePath, execArgv: [] } };
}

const newFolder = () => mkdtempSync(join(folder, "job-"));
const joined = (options: VideoChildOptions) =>
  startJoin(
    { parts: [{ videoPath: source }, { videoPath: source }], framesPerSecond: 60, outputDirectory: newFolder() },
    { ...frame, durationSeconds: 5 },
    options,
  );
const relief = (options: VideoChildOptions) =>
  startRelief({ trackPath: source, frame, outputDirectory: newFolder() }, options);
const merged = (options: VideoChildOptions) =>
  startMerge({ sources: [{ trackPath: source, importer: 1 }], outputDirectory: newFolder() }, options);
const drawn = (options: VideoChildOptions) =>
  startMapDrawing({ footprintsPath: source, map: "de_dust2", frames: [frame], outputDirectory: newFolder() }, options);

test.each([
  ["joins videos", "a length without end", joined, '{"frameCount":1,"durationSeconds":1e999,"startSeconds":[0,1]}'],
  ["joins videos", "a part too few", joined, '{"frameCount":1,"durationSeconds":2,"startSeconds":[0]}'],
  ["joins videos", "a beginning that is a text", joined, '{"frameCount":1,"durationSeconds":2,"startSeconds":[0,"1"]}'],
  ["draws a relief", "a ground of its own", relief, '{"ground":"__proto__"}'],
  ["merges walks", "more matches than it was given", merged, '{"matches":2}'],
  ["merges walks", "half a match", merged, '{"matches":0.5}'],
  ["draws a map", "a list", drawn, "[]"],
])("a child that %s and speaks of %s has made nothing", async (_, __, start, result) => {
  await expect(start(saying(result))).rejects.toThrow(new RenderError("The renderer did not say what it had made."));
});

test("what a child says of what it made is taken when it can be so", async () => {
  expect(await joined(saying('{"frameCount":120,"durationSeconds":2,"startSeconds":[0,1]}'))).toMatchObject({
    ...{ bytes: 4, durationSeconds: 2, startSeconds: [0, 1] },
  });
  expect(await relief(saying('{"ground":"match"}'))).toMatch(/relief\.bin$/);
  expect(await relief(saying('{"ground":"map"}'))).toBeNull();
  expect(await merged(saying('{"matches":1}'))).toMatchObject({ matches: 1 });
  expect(await drawn(saying("{}"))).toHaveLength(1);
});
