import { float32At, uint8At } from "../../replay/checked-reads.ts";
import { SampleFlag } from "../../replay/replay-track.ts";
import { sidePalette } from "../palette.ts";
import { isInFrame, type Layer, type Stage } from "../stage.ts";

/** Length of a trail, then of its pieces if the track has enough samples; in seconds of play. */
const trailSeconds = 1.5;
const trailPieceSeconds = 0.125;
/** World units a second: a player who moved faster did not walk. */
const fastestWalk = 720;

/** Where players came from in the last second and a half, at any sample rate of the track. */
export function trailLayer(stage: Stage): Layer {
  const { timeline, unit } = stage;
  const { tickRate } = timeline;
  return (list, { tick, view, players }) => {
    for (const { player, side, state, isAlive, x, y, opacity } of players) {
      if (!isAlive || opacity < 0.02 || !isInFrame(stage, x, y, 200)) continue;
      const walked = timeline.samples(player, tick);
      if (!walked) continue;
      const { samples, tickStep, index } = walked;
      const stride = Math.max(1, Math.round((trailPieceSeconds * tickRate) / tickStep));
      const pieces = Math.round((trailSeconds * tickRate) / (stride * tickStep));
      const farthestWalk = (fastestWalk * stride * tickStep) / tickRate;
      let x0 = x;
      let y0 = y;
      let lastX = state.x;
      let lastY = state.y;
      // Always uses the same samples of the walk, so that the trail stays still while the player moves on.
      const newest = Math.floor(index / stride) * stride;
      for (let step = 0; step < pieces; step++) {
        const at = newest - step * stride;
        if (at < 0 || at >= samples.x.length || (uint8At(samples.flags, at) & SampleFlag.alive) === 0) break;
        const worldX = float32At(samples.x, at);
        const worldY = float32At(samples.y, at);
        if (Math.abs(worldX - lastX) + Math.abs(worldY - lastY) > farthestWalk) break;
        const x1 = view.x(worldX);
        const y1 = view.y(worldY, float32At(samples.z, at));
        if (Math.abs(x1 - x0) + Math.abs(y1 - y0) > 0.6) {
          const age0 = step === 0 ? 0 : (index - at - stride) / (pieces * stride);
          const age1 = Math.min(1, (index - at) / (pieces * stride));
          list.push({
            op: "line",
            x0,
            y0,
            x1,
            y1,
            width: (3.6 - 2.4 * age1) * unit,
            colour: sidePalette[side].main,
            alpha0: 0.42 * opacity * (1 - age0),
            alpha1: 0.42 * opacity * (1 - age1),
          });
          x0 = x1;
          y0 = y1;
        }
        lastX = worldX;
        lastY = worldY;
      }
    }
  };
}
