import { itemAt } from "../../replay/checked-reads.ts";
import { sidePalette } from "../palette.ts";
import { groundSquash } from "../relief/projection.ts";
import { viewDistance } from "../sight.ts";
import { isInFrame, type Layer, type Stage } from "../stage.ts";

/** A cone that meets a wall is drawn in slices of about this angle, each up to the wall; adjacent free ones are merged. */
const sliceAngle = 0.15;

/** Players' fields of view: cones that end at walls. */
export function viewConeLayer(stage: Stage): Layer {
  const { relief, unit } = stage;
  return (list, { players, view }) => {
    for (const player of players) {
      if (!player.isAlive || player.opacity < 0.02 || !isInFrame(stage, player.x, player.y, 150)) continue;
      const { state, side } = player;
      const radius = (state.scoped ? 230 : player.isFollowed ? 150 : 115) * unit;
      const halfAngle = state.scoped ? 0.2 : 0.52;
      const heading = (state.yaw * Math.PI) / 180;
      const addCone = (angle: number, half: number, length: number) =>
        list.push({
          op: "cone",
          x: player.x,
          y: player.y,
          radius: length,
          squash: groundSquash,
          angle: -angle,
          halfAngle: half,
          colour: sidePalette[side].main,
          alpha: (player.isFollowed ? 0.6 : 0.36) * player.opacity,
        });
      const slices = Math.ceil((2 * halfAngle) / sliceAngle);
      const halfSlice = halfAngle / slices;
      const angles = Array.from({ length: slices }, (_, i) => heading + halfAngle - (2 * i + 1) * halfSlice);
      const farthest = radius / view.pixelsPerUnit;
      const distances = angles.map((angle) => viewDistance(relief, state, angle, farthest));
      const isFree = (slice: number) => itemAt(distances, slice) >= farthest;
      for (let from = 0, behind = 1; from < slices; from = behind, behind = from + 1) {
        if (isFree(from)) while (behind < slices && isFree(behind)) behind++;
        const middle = (itemAt(angles, from) + itemAt(angles, behind - 1)) / 2;
        const length = isFree(from) ? radius : itemAt(distances, from) * view.pixelsPerUnit;
        addCone(middle, halfSlice * (behind - from), length);
      }
    }
  };
}
