import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AtMostEvery } from "../waits/at-most-every.ts";
import { ProgressWriter } from "./progress-writer.ts";

let now = 0;
beforeEach(() => {
  now = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/** A writer whose writes end on command. */
function heldWriter() {
  const written: number[] = [];
  const ends: ((goesOn: boolean | Error) => void)[] = [];
  const errors: unknown[] = [];
  const writer = new ProgressWriter<number>({
    write: (fraction) => {
      written.push(fraction);
      return new Promise((resolve, reject) => {
        ends.push((end) => (end instanceof Error ? reject(end) : resolve(end)));
      });
    },
    everyMs: 500,
    goneReason: "The clip was deleted.",
    onError: (error) => errors.push(error),
  });
  const endWrite = async (end: boolean | Error = true) => {
    ends.shift()?.(end);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { writer, written, errors, endWrite };
}

const aMoment = () => new Promise((resolve) => setImmediate(resolve));

test("progress is written now and then, never two at once", async () => {
  const { writer, written, endWrite } = heldWriter();
  writer.report(0.1);
  await aMoment();
  expect(written).toEqual([]);
  now += 500;
  writer.report(0.2);
  writer.report(0.3);
  await aMoment();
  now += 500;
  writer.report(0.4);
  await aMoment();
  expect(written).toEqual([0.2]);
  await endWrite();
  now += 499;
  writer.report(0.5);
  await aMoment();
  expect(written).toEqual([0.2, 0.5]);
  await endWrite();
  writer.report(0.6);
  await aMoment();
  expect(written).toEqual([0.2, 0.5]);
});

test("what has to be told is written in any case, after what is being written", async () => {
  const { writer, written, endWrite } = heldWriter();
  writer.reportAtOnce(0.1);
  writer.reportAtOnce(0.2);
  await aMoment();
  expect(written).toEqual([0.1]);
  await endWrite();
  expect(written).toEqual([0.1, 0.2]);
  let isSettled = false;
  const settled = writer.settled().then(() => {
    isSettled = true;
  });
  await aMoment();
  expect(isSettled).toBe(false);
  await endWrite();
  await settled;
  now += 499;
  writer.report(0.3);
  await aMoment();
  expect(written).toEqual([0.1, 0.2]);
});

test("a figure that could not be written ends nothing; a work that nobody waits for any more does", async () => {
  const { writer, written, errors, endWrite } = heldWriter();
  writer.reportAtOnce(0.1);
  await aMoment();
  await endWrite(new Error("no database"));
  expect(errors).toEqual([new Error("no database")]);
  expect(writer.signal.aborted).toBe(false);
  now += 500;
  writer.report(0.2);
  await aMoment();
  await endWrite(false);
  expect(written).toEqual([0.1, 0.2]);
  expect(writer.signal.reason).toEqual(new Error("The clip was deleted."));
});

test("what is told at most once in a time is due at first, and again when the time has passed", () => {
  const rhythm = new AtMostEvery(250);
  expect([rhythm.isDue(), rhythm.isDue()]).toEqual([true, false]);
  now += 250;
  expect([rhythm.isDue(), rhythm.isDue()]).toEqual([true, false]);
  now += 249;
  rhythm.restart();
  now += 249;
  expect(rhythm.isDue()).toBe(false);
});
