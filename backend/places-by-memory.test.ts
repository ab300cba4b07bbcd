import { totalmem } from "node:os";
import { pino } from "pino";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { allowedMemory, lighterJobsWithin, placesWithin, takenBytes, withinMemory } from "./places-by-memory.ts";

const gibibyte = 1024 ** 3;
const places = (imports: number, renders: number) => ({ IMPORT_WORKERS: imports, RENDER_WORKERS: renders });

test.each([
  ["what fits is taken as configured", 64 * gibibyte, places(4, 8), places(4, 8)],
  ["the greater number gives way first", 6 * gibibyte, places(2, 8), places(2, 3)],
  ["one of each stays, however little there is", gibibyte / 4, places(4, 4), places(1, 1)],
  ["what is switched off stays off", gibibyte, places(0, 3), places(0, 1)],
])("%s", (_, bytes, configured, taken) => {
  expect(placesWithin(bytes, configured)).toEqual(taken);
});

test("whatever is configured, what is taken fits, or is one of each", () => {
  for (let bytes = gibibyte; bytes <= 32 * gibibyte; bytes += gibibyte) {
    for (const configured of [places(1, 64), places(64, 1), places(9, 9)]) {
      const { IMPORT_WORKERS: imports, RENDER_WORKERS: renders } = placesWithin(bytes, configured);
      const needed = takenBytes.server + imports * takenBytes.import + renders * takenBytes.render;
      expect(needed <= bytes || Math.max(imports, renders) === 1).toBe(true);
    }
  }
});

test("lighter jobs go on in what imports and renders leave, one at least and one of each at most", () => {
  expect(lighterJobsWithin(2 * gibibyte, places(1, 1))).toBe(1);
  expect(lighterJobsWithin(4 * gibibyte, places(1, 1))).toBe(3);
  expect(lighterJobsWithin(4 * gibibyte, places(0, 1))).toBe(5);
  expect(lighterJobsWithin(64 * gibibyte, places(1, 1))).toBe(5);
});

test("the log says when less is taken than configured, and only then", () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const config = readConfig({ RENDER_WORKERS: "6", IMPORT_WORKERS: "2" });
  expect(withinMemory(config, log, 64 * gibibyte)).toEqual(config);
  expect(lines).toEqual([]);
  expect(withinMemory(config, log, 4 * gibibyte)).toMatchObject(places(2, 1));
  expect(lines.join()).toContain("fewer imports and renders at once than configured");
});

test("what may be used is no more than the machine has", () => {
  expect(allowedMemory()).toBeGreaterThan(0);
  expect(allowedMemory()).toBeLessThanOrEqual(totalmem());
});
