import { expect, test } from "vitest";
import { createClipScene } from "../clip-scene.ts";
import { unitOf } from "../layout.ts";
import { textPadding } from "../sprite-shelf.ts";
import { formatSizes } from "../testing/format-sizes.ts";
import { sceneOptions, segmentOf, specOf, syntheticTrack, walkedArea } from "../testing/synthetic-track.ts";

const ground = walkedArea(-300, -300, 300, 300);
const cast = (["Nova", "dune"] as const).map((name, i) => ({ name, team: i as 0 | 1, pose: { x: 60 * i, y: 0 } }));

test("scores of two digits stand apart from the teams' names, and these inside the board", () => {
  const { record, ...track } = syntheticTrack(cast, ground);
  const [first, second] = record.teams;
  const named = {
    ...record,
    teams: [
      { ...first, name: "Harbour Five" },
      { ...second, name: "Granite Row of the longest name" },
    ] as typeof record.teams,
    rounds: record.rounds.map((round) => ({ ...round, scoreBefore: [11, 12] as [number, number] })),
  };
  const frame = formatSizes.vertical;
  const unit = unitOf(frame);
  const scene = createClipScene(
    { ...track, record: named },
    { ...specOf([segmentOf(4)]), ...frame },
    {
      ...sceneOptions,
      ...frame,
    },
  );
  const board = scene.layers(60).layers.find(({ name }) => name === "scoreboard")?.operations ?? [];
  const sprites = board.flatMap((operation) => (operation.op === "sprite" ? [operation] : []));
  /** What is read of a text, without the room around it. */
  const spans = (isOne: (key: string) => boolean) =>
    sprites
      .filter(({ sprite }) => isOne(sprite.key))
      .map(({ x, sprite }) => ({ from: x + textPadding * unit, to: x + sprite.width - textPadding * unit }));
  const digits = spans((key) => /^text\|700\|36\|/.test(key));
  const names = spans((key) => /\|(Harbour|Granite)/.test(key));
  const [plate] = sprites.filter(({ sprite }) => sprite.key.startsWith("scoreboard-"));
  expect(digits).toHaveLength(4);
  expect(names).toHaveLength(2);
  for (const name of names) {
    for (const digit of digits)
      expect(Math.max(name.from - digit.to, digit.from - name.to)).toBeGreaterThanOrEqual(8 * unit);
    expect(name.from - plate!.x).toBeGreaterThanOrEqual(10 * unit);
    expect(plate!.x + plate!.sprite.width - name.to).toBeGreaterThanOrEqual(10 * unit);
  }
  expect(plate!.x).toBeGreaterThanOrEqual(0);
});
