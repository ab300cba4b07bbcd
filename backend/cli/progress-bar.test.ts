import { expect, test } from "vitest";
import { displayWidth } from "./display-width.ts";
import { ProgressBar } from "./progress-bar.ts";

const stages = [
  { name: "reading", share: 0.25 },
  { name: "rendering", share: 0.75 },
];

function barOn(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const output = { isTTY, columns, write: (text: string) => written.push(text) };
  return { bar: new ProgressBar(output, "match.dem", stages, () => clock.ms), written, clock };
}

test("on a terminal it is drawn in one line that it fits, with percent and the time left, and goes away", () => {
  const { bar, written, clock } = barOn(true, 40);
  bar.report("reading", 0);
  clock.ms = 2000;
  bar.report("reading", 0.8);
  clock.ms = 4000;
  bar.report("rendering", 0);
  clock.ms = 24_000;
  bar.report("rendering", 0.5);
  bar.clear();
  bar.clear();
  expect(written).toHaveLength(5);
  for (const text of written.slice(0, 4)) {
    expect(text.startsWith("\r") && text.endsWith("\u001b[K")).toBe(true);
    expect(displayWidth(text.slice(1, -3))).toBeLessThan(40);
  }
  expect(written[3]).toContain(" 62 %  ");
  expect(written[4]).toBe("\r\u001b[K");
});

test("elsewhere there is a line every ten seconds, none for what is quick", () => {
  const { bar, written, clock } = barOn(false);
  for (; clock.ms <= 30_000; clock.ms += 500) bar.report(clock.ms < 9000 ? "reading" : "rendering", clock.ms / 60_000);
  bar.clear();
  expect(written).toEqual([
    "match.dem: rendering, 37 %, 0:05 left\n",
    "match.dem: rendering, 50 %, 0:22 left\n",
    "match.dem: rendering, 62 %, 0:21 left\n",
  ]);
});

test("it never goes back, and never beyond its end", () => {
  const { bar } = barOn(true);
  bar.report("reading", 0.5);
  bar.report("reading", 0.2);
  expect(bar.fraction).toBe(0.125);
  bar.report("rendering", 7);
  bar.report("reading", 0.9);
  bar.report("rendering", null);
  expect(bar.fraction).toBe(1);
});

test("with --quiet nothing is told", () => {
  const bar = new ProgressBar(null, "match.dem", stages);
  bar.report("reading", 0.5);
  bar.clear();
  expect(bar.fraction).toBe(0.125);
});
