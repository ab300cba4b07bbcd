import { weaponName } from "../../contract/weapons.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import type { ClipScene } from "../../scene/scene-on-relief.ts";
import { cleanText } from "../../scene/text.ts";
import type { StageMoment } from "./stage-messages.ts";

/** The kills of those who are followed, and defuses, in the clip's order. */
export function momentsOf(
  scene: Pick<ClipScene, "frameAt">,
  { record }: Pick<ReplayTrack, "record">,
  { segments }: Pick<ClipSpec, "segments">,
): StageMoment[] {
  const found = segments.flatMap((segment) => {
    const isIn = ({ tick }: { tick: number }) => tick >= segment.startTick && tick < segment.endTick;
    const kills = record.kills
      // A round that is watched has everybody's.
      .filter(
        (kill) =>
          isIn(kill) && (segment.isEven || (kill.attacker === segment.player && kill.victim !== segment.player)),
      )
      .map(({ tick, victim, weapon }) => {
        const name = cleanText(record.players[victim]?.name ?? "") || "somebody";
        const what = `${name}, ${weaponName(weapon)}`;
        return { frame: scene.frameAt(segment, tick), text: (place: string) => `Kill ${place}: ${what}` };
      });
    const defuses = record.bomb
      .filter((event) => isIn(event) && event.kind === "defused" && event.player === segment.player)
      .map(({ tick }) => ({
        frame: scene.frameAt(segment, tick),
        text: (place: string) => `Bomb defused, ${place}`,
      }));
    return [...kills, ...defuses];
  });
  const shown = found.flatMap(({ frame, text }) => (frame === null ? [] : { frame, text }));
  shown.sort((a, b) => a.frame - b.frame);
  return shown.map(({ frame, text }, i) => ({ frame, text: text(`${i + 1} of ${shown.length}`) }));
}
