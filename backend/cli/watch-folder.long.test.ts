import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { fixturePath } from "../demos/testing/demo-fixtures.ts";
import { readArguments } from "./read-arguments.ts";
import { openSession } from "./session.ts";
import { watchFolder } from "./watch-folder.ts";

const cwd = mkdtempSync(join(tmpdir(), "clutchcast-watch-"));
afterAll(() => rmSync(cwd, { recursive: true }));

test("a recorder that always writes one name gets a clip of each recording, and none of the same file once more", async () => {
  mkdirSync(join(cwd, "in"));
  const short = ["--type", "knife_kill", "--lead-in", "0", "--lead-out", "-1.5"];
  const command = readArguments(["clip", "--watch", "in", "-o", "out/", ...short]);
  if (command.name !== "clip" || command.watched === null) throw new Error("It watches nothing.");
  const stop = new AbortController();
  const session = openSession(process.env, { isQuiet: true, cwd, signal: stop.signal });
  const outputs = { said: "", printed: "" };
  const watching = watchFolder(
    { ...command, watched: command.watched },
    {
      ...session,
      say: (text) => {
        outputs.said += text;
      },
      print: (text) => {
        outputs.printed += text;
      },
    },
  ).catch((error) => error);
  const recorded = join(cwd, "in/match.dem.gz");
  const made = () => outputs.printed.split("\n").map((line) => line.split(":")[0]);
  const waiting = { timeout: 600_000, interval: 500 };

  copyFileSync(fixturePath("highlights-reel"), recorded);
  await expect.poll(made, waiting).toEqual(["out/match.mp4", ""]);
  const first = statSync(join(cwd, "out/match.mp4")).mtimeMs;
  // The same file once more, and beside it what shows that the folder was looked at since.
  copyFileSync(fixturePath("highlights-reel"), recorded);
  copyFileSync(fixturePath("highlights-reel"), join(cwd, "in/other.dem.gz"));
  await expect.poll(made, waiting).toEqual(["out/match.mp4", "out/other.mp4", ""]);
  writeFileSync(recorded, gzipSync(gunzipSync(readFileSync(fixturePath("highlights-reel"))), { level: 1 }));
  await expect.poll(made, waiting).toEqual(["out/match.mp4", "out/other.mp4", "out/match-2.mp4", ""]);
  stop.abort(new Error("the test is done"));
  expect(await watching).toMatchObject({ message: "the test is done" });
  expect(outputs.said).toBe("in/match.dem.gz: Newer than “out/match.mp4”, so its clip becomes “out/match-2.mp4”.\n");
  expect(readdirSync(join(cwd, "out")).sort()).toEqual(["match-2.mp4", "match.mp4", "other.mp4"]);
  expect(statSync(join(cwd, "out/match.mp4")).mtimeMs).toBe(first);
}, 1_500_000);
