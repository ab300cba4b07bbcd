import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundledFfmpeg, FfmpegMissingError, findFfmpeg } from "./ffmpeg.ts";

const folder = mkdtempSync(join(tmpdir(), "clutchcast-ffmpeg-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that answers `-encoders` like ffmpeg. */
function program(name: string, encoders: string[], executable = true): string {
  const path = join(folder, name);
  const lines = encoders.map((encoder) => ` V....D ${encoder}   words about it`).join("\n");
  writeFileSync(path, `#!/bin/sh\ncat <<'END'\nEncoders:\n ------\n${lines}\nEND\n`);
  if (executable) chmodSync(path, 0o755);
  return path;
}

const good = program("good", ["libx264", "aac", "mjpeg"]);
const alsoGood = program("also-good", ["libx264", "aac", "mjpeg"]);
const withoutX264 = program("without-x264", ["mpeg4", "aac", "mjpeg"]);
const notExecutable = program("not-executable", ["libx264", "aac", "mjpeg"], false);
const absent = join(folder, "absent");

test("takes the configured ffmpeg before all others", async () => {
  expect(await findFfmpeg({ configured: good, command: alsoGood, bundled: () => alsoGood })).toBe(good);
});

test("takes the one on the path before the one that npm installed", async () => {
  expect(await findFfmpeg({ command: good, bundled: () => alsoGood })).toBe(good);
});

test("takes the one that npm installed when the path has none, or one that cannot encode H.264", async () => {
  expect(await findFfmpeg({ command: absent, bundled: () => good })).toBe(good);
  expect(await findFfmpeg({ command: withoutX264, bundled: () => good })).toBe(good);
});

test("says what is wrong with a configured ffmpeg instead of taking another", async () => {
  const found = (configured: string) => findFfmpeg({ configured, command: good });
  await expect(found(absent)).rejects.toThrow(`FFMPEG_PATH is “${absent}”, but there is no such program.`);
  await expect(found(withoutX264)).rejects.toThrow("it cannot encode libx264");
  await expect(found(notExecutable)).rejects.toThrow("it may not be executed");
  await expect(found(absent)).rejects.toBeInstanceOf(FfmpegMissingError);
});

test("tells an operator without any ffmpeg what to do", async () => {
  const none = findFfmpeg({ command: absent, bundled: () => null });
  await expect(none).rejects.toThrow(/No ffmpeg .*no such program.*Install ffmpeg, or set FFMPEG_PATH/);
});

test("finds a working ffmpeg among the npm packages", async () => {
  const bundled = bundledFfmpeg();
  expect(bundled).not.toBeNull();
  expect(await findFfmpeg({ configured: bundled ?? "" })).toBe(bundled);
});
