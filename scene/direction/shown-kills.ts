import type { ClipSegment } from "../../replay/clip-spec.ts";
import type { MatchRecord, RecordedKill } from "../../replay/match-record.ts";
import { type DrawnClip, drawnPlayer } from "./drawn-clip.ts";
import { isNear } from "./frame-cover.ts";

/** A kill of the followed player, and the frame of the clip at which it happens. */
export interface ShownKill {
  kill: RecordedKill;
  segment: ClipSegment;
  frame: number;
}

/** Seconds of video before and after a kill in which who fights must be seen. */
const fightSeconds = 0.5;
/** Part of a token that a panel's edge may overlap. */
const overlappingPart = 0.5;

/** The kills of whom the clip follows, each where it is shown; team kills are none. */
export function shownKills({ moments }: DrawnClip, { kills, players }: MatchRecord): ShownKill[] {
  return kills.flatMap((kill) => {
    if (kill.attacker === null || players[kill.attacker]?.team === players[kill.victim]?.team) return [];
    const frame = frameOf(moments, kill.tick, (segment) => {
      return segment.player === kill.attacker && segment.round === kill.round;
    });
    const segment = moments[frame]?.segment;
    return segment ? [{ kill, segment, frame }] : [];
  });
}

/** The first frame that shows a tick or what follows it, in the segment that holds it; -1 when none does. */
export function frameOf(
  moments: DrawnClip["moments"],
  tick: number,
  isWanted: (segment: ClipSegment) => boolean = () => true,
): number {
  return moments.findIndex(
    (moment) =>
      moment.tick >= tick &&
      moment.segment.startTick <= tick &&
      tick < moment.segment.endTick &&
      isWanted(moment.segment),
  );
}

/**
 * Whether shooter or victim stand under a panel at the kill, or half a second before or after it. Whom the camera has left
 * outside of the frame, or nobody has drawn, is as hidden.
 */
export function isHidden({ kill, segment, frame }: ShownKill, clip: DrawnClip): boolean {
  const around = fightSeconds * clip.framesPerSecond;
  return clip.frames
    .filter((drawn) => drawn.segment === segment && Math.abs(drawn.index - frame) <= around)
    .some((drawn) =>
      [kill.attacker, kill.victim].some((player) => {
        if (!drawn.players.some((staged) => staged.player === player)) return false;
        const place = player === null ? null : drawnPlayer(drawn, player, clip);
        if (!place) return true;
        const reach = place.radius * (1 - overlappingPart);
        return drawn.panels.some((panel) => isNear(panel, place.x, place.y, reach));
      }),
    );
}
