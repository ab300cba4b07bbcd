import { expect } from "vitest";
import { openScene, writtenTexts } from "../../backend/video/render-clip.ts";
import { openSpriteBakery } from "../../backend/video/sprite-bakery.ts";
import { type ClipFormat, clipFormats } from "../../contract/clip-formats.ts";
import { overlapArea } from "../../scene/box.ts";
import { isNear } from "../../scene/direction/frame-cover.ts";
import type { Sprite } from "../../scene/display-list.ts";
import { buildClipRelief } from "../../scene/index.ts";
import { plannedSpec } from "../../scripts/direction/judge-match.ts";
import { readMatch } from "../../scripts/direction/read-match.ts";
import { root } from "./test-titles.ts";

const sizeOf = ({ key, width, height }: Sprite) => ({ key, width, height });

/** Highlights in which most happens, so that a test of every frame looks at few clips. */
const longest = 2;

/**
 * Looks at the players' cards in clips of the sample match, four times a second: everybody who lives has one, the dead lose theirs, and
 * they are in nobody's way.
 * @returns how often it looked
 */
export async function lookAtStrips(formats: readonly ClipFormat[]): Promise<number> {
  const match = await readMatch(`${root}backend/matches/sample/sample-match.dem.zst`);
  const { track } = match;
  const { record } = track;
  const highlights = [...match.highlights].sort((a, b) => b.moments.length - a.moments.length).slice(0, longest);
  let looks = 0;
  for (const format of formats) {
    const frame = clipFormats[format];
    const relief = buildClipRelief(track, frame);
    const specs = highlights.map((highlight) => plannedSpec(track, highlight, format));
    const bakery = await openSpriteBakery(specs.flatMap((spec) => writtenTexts(track, spec)));
    for (const spec of specs) {
      const scene = openScene(track, spec, bakery, relief);
      for (let index = 0; index < scene.frameCount; index += 15) {
        const { isEndCard, segment, tick } = scene.moment(index);
        if (isEndCard) continue;
        const { layers, players } = scene.layers(index);
        const boxesOf = (wanted: string, key: RegExp) =>
          (layers.find(({ name }) => name === wanted)?.operations ?? []).flatMap((operation) =>
            operation.op === "sprite" && key.test(operation.sprite.key)
              ? [{ left: operation.x, top: operation.y, ...sizeOf(operation.sprite) }]
              : [],
          );
        const cards = boxesOf("strips", /^strip-(CT|T)-/);
        const round = record.rounds.find(({ number }) => number === segment.round);
        const dead = record.deaths.filter((death) => death.round === segment.round && death.tick <= tick).length;
        const living = (round?.aliveAtFreezeEnd.flat().length ?? 0) - dead;
        expect(cards.filter(({ key }) => !key.includes("fallen")).length, `${format} at tick ${tick}`).toBe(living);
        for (const other of [...boxesOf("killFeed", /^kill-/), ...boxesOf("scoreboard", /^scoreboard-\d/)])
          for (const card of cards) expect(overlapArea(card, other), other.key).toBe(0);
        // The camera keeps whom it follows out from under every panel.
        const followed = players.find(({ isFollowed }) => isFollowed);
        if (followed) expect(cards.some((card) => isNear(card, followed.x, followed.y, 0))).toBe(false);
        looks++;
      }
    }
  }
  return looks;
}
