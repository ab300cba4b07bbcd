import type { ClipSegment } from "../../replay/clip-spec.ts";
import type { MatchRecord, PlayerIndex, RecordedBombEvent } from "../../replay/match-record.ts";
import type { DrawnClip } from "./drawn-clip.ts";
import type { JudgedHighlight } from "./judged-highlight.ts";
import { frameOf } from "./shown-kills.ts";

/** Seconds of video needed after the end of a highlight. */
const endSeconds = 1.2;
/** Seconds of video after which doing nothing is dead time. */
const idleSeconds = 2;

/** Whether the clip ends, or cuts, too soon after the highlight's last kill or defuse, or never reaches it. */
export function isCutShort({ moments, framesPerSecond }: DrawnClip, { momentTicks, round }: JudgedHighlight): boolean {
  if (momentTicks.length === 0) return false;
  const first = frameOf(moments, Math.max(...momentTicks), (segment) => segment.round === round);
  if (first < 0) return true;
  let end = first + 1;
  while (end < moments.length && goesOn(moments[end - 1]?.segment, moments[end]?.segment)) end++;
  return (end - first) / framesPerSecond < endSeconds;
}

/** Whether one frame follows another without a gap in the round, whoever is followed. */
function goesOn(before: ClipSegment | undefined, after: ClipSegment | undefined): boolean {
  if (!before || !after) return false;
  return before === after || (before.round === after.round && before.endTick === after.startTick);
}

/**
 * Frames in stretches of more than two seconds of video in which the followed player does nothing and nothing is done to them:
 * no shot, hit, kill, throw, plant, defuse, no damage taken. The whole stretch counts, its first two seconds included. A
 * stretch begins and ends with such an act, at a cut, or with the clip.
 */
export function idleFrames({ moments, framesPerSecond }: DrawnClip, record: MatchRecord): number {
  let idle = 0;
  let begin = 0;
  while (begin < moments.length) {
    const segment = moments[begin]?.segment;
    let end = begin;
    while (end < moments.length && moments[end]?.segment === segment) end++;
    if (segment) idle += idleFramesOf(moments, begin, end, actsOf(record, segment.player), framesPerSecond);
    begin = end;
  }
  return idle;
}

function idleFramesOf(
  moments: DrawnClip["moments"],
  begin: number,
  end: number,
  acts: readonly Act[],
  framesPerSecond: number,
): number {
  let idle = 0;
  let since = begin;
  const close = (frame: number) => {
    if ((frame - since) / framesPerSecond > idleSeconds) idle += frame - since;
    since = frame;
  };
  for (let frame = begin; frame < end; frame++) {
    const tick = moments[frame]?.tick ?? 0;
    const before = frame === begin ? tick : (moments[frame - 1]?.tick ?? tick);
    // Acts between two frames are shown by the later one.
    if (acts.some(({ from, to }) => from <= tick && (to > before || to === tick))) close(frame);
  }
  close(end);
  return idle;
}

/** Something that a player does or that is done to them, in ticks. */
interface Act {
  from: number;
  to: number;
}

function actsOf(record: MatchRecord, player: PlayerIndex): Act[] {
  const at = (tick: number): Act => ({ from: tick, to: tick });
  const concerns = ({ attacker, victim }: { attacker: PlayerIndex | null; victim: PlayerIndex }) =>
    attacker === player || victim === player;
  return [
    ...record.shots.filter((shot) => shot.player === player).map(({ tick }) => at(tick)),
    ...record.damages.filter(concerns).map(({ tick }) => at(tick)),
    ...record.kills.filter(concerns).map(({ tick }) => at(tick)),
    ...record.grenades.filter(({ thrower }) => thrower === player).map(({ throwTick }) => at(throwTick)),
    ...record.bomb.flatMap((event, i) => bombAct(event, record.bomb.slice(i + 1), player) ?? []),
  ];
}

const endsOf: Partial<Record<RecordedBombEvent["kind"], readonly RecordedBombEvent["kind"][]>> = {
  plant_begin: ["plant_abort", "planted", "plant_begin"],
  defuse_begin: ["defuse_abort", "defused", "defuse_begin", "exploded"],
};

/** A plant or defuse lasts from its beginning to its end. */
function bombAct(event: RecordedBombEvent, later: readonly RecordedBombEvent[], player: PlayerIndex): Act | null {
  const ends = endsOf[event.kind];
  if (event.player !== player || !ends) return null;
  const end = later.find(({ kind }) => ends.includes(kind));
  return { from: event.tick, to: end?.tick ?? event.tick };
}
