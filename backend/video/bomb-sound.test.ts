import { expect, test } from "vitest";
import { bombBeepSeconds, bombTripSeconds } from "../../replay/bomb-beeps.ts";
import { createClipScene } from "../../scene/clip-scene.ts";
import { buildRelief } from "../../scene/relief/build-relief.ts";
import { composeSoundtrack } from "../../scene/sound/soundtrack.ts";
import { sampleRate } from "../../scene/sound/synthesis.ts";
import {
  freezeEndTick,
  roundEndTick,
  sceneOptions,
  specOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "../../scene/testing/synthetic-track.ts";

test("every beep of the bomb and every red pulse, in the scene and on the scoreboard, come in the same frame", () => {
  const plantTick = freezeEndTick;
  const hall = walkedArea(-500, -400, 500, 400);
  const track = syntheticTrack(
    [
      { name: "Nova", team: 0, pose: { x: -100, y: 0 } },
      { name: "dune", team: 1, pose: { x: 120, y: 0 } },
    ],
    hall,
    {
      bomb: [{ tick: plantTick, kind: "planted", player: 1, site: "A", hasKit: false, position: [100, 0, 0] }],
      // Silent actions keep the clip at the match's speed.
      shots: Array.from({ length: 40 }, (_, second) => ({
        tick: plantTick + second * tickRate,
        player: 0,
        weapon: "flashbang",
        yaw: 0,
      })),
    },
  );
  const segment = { round: 1, startTick: freezeEndTick, endTick: roundEndTick, player: 0, captions: [] };
  const spec = specOf([segment]);
  const relief = buildRelief(hall, { map: "de_test", finestScale: 0.3, maxPixels: 500_000 });
  const scene = createClipScene(track, spec, { ...sceneOptions, relief });

  const pulses: number[] = [];
  const blinks: number[] = [];
  let widthBefore = Number.POSITIVE_INFINITY;
  let litBefore = 1;
  for (let frame = 0; frame < scene.frameCount; frame++) {
    const operations = scene.frame(frame);
    const glow = operations.find((one) => one.op === "scaled" && one.sprite.key.startsWith("bomb-glow"));
    const width = glow?.op === "scaled" ? glow.width : Number.POSITIVE_INFINITY;
    if (width < widthBefore) pulses.push(frame);
    widthBefore = width;
    const icon = operations.find((one) => one.op === "sprite" && one.sprite.key.startsWith("scoreboard-bomb"));
    const lit = icon?.op === "sprite" ? icon.alpha : 0;
    if (lit > litBefore + 0.05) blinks.push(frame);
    litBefore = lit;
  }
  expect(blinks).toEqual(pulses);

  // The only other sounds are the plant and the ambience: a beep begins where the level rises from silence.
  const { left } = composeSoundtrack(track, spec, scene.frameCount);
  const hop = sampleRate / 480;
  const levels = Array.from({ length: Math.floor(left.length / hop) }, (_, i) =>
    left.subarray(i * hop, (i + 1) * hop).reduce((level, sample) => Math.max(level, Math.abs(sample)), 0),
  );
  const loudest = Math.max(...levels);
  const onsets: number[] = [];
  let isSilent = true;
  for (const [i, level] of levels.entries()) {
    if (isSilent && level > 0.3 * loudest) {
      if (i * hop > 0.9 * sampleRate) onsets.push((i * hop) / sampleRate);
      isSilent = false;
    } else if (level < 0.15 * loudest) isSilent = true;
  }
  // The trip is not a beep: it sounds on until the explosion.
  expect(pulses.length).toBe(bombBeepSeconds.length + 1);
  expect(pulses.at(-1)).toBe(bombTripSeconds * spec.framesPerSecond);
  for (const [i, pulse] of pulses.slice(0, -1).entries()) {
    // A beep swells over a hundredth of a second before it is this loud.
    const late = onsets[i]! - pulse / spec.framesPerSecond;
    expect(Math.abs(late), `beep ${i}`).toBeLessThan(1 / spec.framesPerSecond);
  }
});
