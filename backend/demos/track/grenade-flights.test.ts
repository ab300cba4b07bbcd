import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type DemoFrames, readDemoFrames } from "../record/demo-frames.ts";
import { temporaryFolder, unpackedFixture } from "../testing/demo-fixtures.ts";
import { type DemoPart, type Flight, joinFlights, rangesOf, readFlights } from "./grenade-flights.ts";
import { readFlightsBeside } from "./read-flights-beside.ts";

const directory = temporaryFolder();
let demoPath: string;
let frames: DemoFrames;
let whole: Flight[];

/** The demo in parts of this many full packets. */
function parts(fullPackets: number, path = demoPath): DemoPart[] {
  const everything = [{ startTick: frames.packetTicks[0]!, endTick: frames.packetTicks.at(-1)! }];
  const ranges = rangesOf(frames, everything);
  return Array.from({ length: Math.ceil(ranges.length / fullPackets) }, (_, index) => ({
    demoPath: path,
    scratchPath: join(directory, `part-${index}`),
    ranges: [{ start: 0, end: frames.signonEnd }, ...ranges.slice(index * fullPackets, (index + 1) * fullPackets)],
  }));
}

beforeAll(async () => {
  demoPath = await unpackedFixture("sample-match", directory);
  frames = await readDemoFrames(demoPath);
  whole = await readFlights(parts(1000)[0]!);
});

test("flights that the parts of a demo cut are joined again", async () => {
  const read = await Promise.all(parts(1).map(readFlights));
  expect(read.flat().length).toBeGreaterThan(whole.length);
  expect(joinFlights(read)).toEqual(whole);
});

test.each([1, 2])("%i threads read the same flights", async (threads) => {
  const reading = readFlightsBeside(parts(2), threads);
  expect(await reading.finish()).toEqual(whole);
  await reading.stop();
});

test("the second thread reads by itself while this one has other work", async () => {
  const all = parts(1);
  const reading = readFlightsBeside(all, 2);
  while (!existsSync(all.at(-1)!.scratchPath)) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await reading.finish()).toEqual(whole);
  await reading.stop();
});

test("what the second thread cannot read ends in the sentence of the first", async () => {
  const path = join(directory, "damaged.dem");
  const bytes = readFileSync(demoPath);
  for (let at = frames.fullPackets[2]!.offset + 50; at < bytes.length; at += 97) bytes[at]! ^= 0x55;
  writeFileSync(path, bytes);
  const damaged = readFlightsBeside(parts(2, path), 2);
  await expect(damaged.finish()).rejects.toMatchObject({ code: "parser_failed" });
  await damaged.stop();
  const missing = readFlightsBeside(parts(2, join(directory, "no-such.dem")), 2);
  await expect(missing.finish()).rejects.toMatchObject({ code: "ENOENT" });
  await missing.stop();
});

test("reading that is not wanted any more ends", async () => {
  const reading = readFlightsBeside(parts(1), 2);
  await reading.stop();
  // Parts that the thread had taken but not read are read here.
  expect(await reading.finish()).toEqual(whole);
});
