import type { Sprite } from "../display-list.ts";
import { smallText } from "../layout.ts";
import { healthColours } from "../palette.ts";
import { paintPanel } from "../sprite-shelf.ts";
import { type Instant, type Panel, popped, type Stage } from "../stage.ts";
import { paintLine } from "../text.ts";
import { plantedBomb } from "./bomb.ts";

const pillHeight = 42;

/** While the followed player is the last of their team: one against how many. */
export function clutchPanel(stage: Stage): Panel {
  const { unit } = stage;
  const { middle, top } = stage.layout.clutchScore;
  const pillAt = clutchPill(stage);
  return (list, time) => {
    const pill = pillAt(time);
    if (pill) popped(list, pill.sprite, middle * unit, (top + pillHeight / 2) * unit, pill.since, 1);
  };
}

/** The score as it is shown at a time, and for how many seconds of video; null while there is no clutch. */
export function clutchPill(stage: Stage): (time: Instant) => { sprite: Sprite; since: number } | null {
  const { shelf, timeline, timeMap } = stage;
  const { segment, round, roster } = timeline;
  const mates = roster.filter((player) => timeline.isTeammate(player, segment.player) && player !== segment.player);
  const opponents = roster.filter((player) => !timeline.isTeammate(player, segment.player));
  if (mates.length === 0 || opponents.length === 0) return () => null;
  const aloneFrom = Math.max(...mates.map((player) => timeline.deathTick(player)));
  const atStart = opponents.filter((player) => timeline.deathTick(player) > aloneFrom).length;
  if (!Number.isFinite(aloneFrom) || atStart === 0 || timeline.deathTick(segment.player) < aloneFrom) return () => null;
  const team = timeline.record.players[segment.player]!.team;
  const hasWon = round?.finished === true && round.winner === team;
  const wonTick = round?.endTick ?? Number.POSITIVE_INFINITY;
  const changes = [
    aloneFrom,
    ...opponents.map((player) => timeline.deathTick(player)).filter((tick) => tick > aloneFrom),
  ].sort((a, b) => a - b);
  const pill = (text: string, colour: string) => {
    const line = shelf.line(text, { weight: 700, size: smallText, colour: "" });
    const width = line.width + 40;
    return shelf.sprite(`clutch-${text}`, width, pillHeight, (context, kit) => {
      paintPanel(context, 0, 0, width, pillHeight, pillHeight / 2, "rgba(8, 13, 21, 0.86)", colour);
      paintLine(context, kit, line, 20, pillHeight / 2 + 1, colour);
    });
  };
  return ({ tick, seconds }) => {
    if (tick < aloneFrom) return null;
    // Not when the last opponent falls: their bomb may still go off.
    const isWon = hasWon && tick >= wonTick;
    if (!isWon && tick >= timeline.deathTick(segment.player)) return null;
    const left = opponents.filter((player) => timeline.isAlive(player, tick)).length;
    // Who was alone against one has won no clutch.
    if (isWon && atStart < 2) return null;
    const isOverButForBomb = left === 0 && plantedBomb(timeline, tick) !== null;
    const sprite = isWon
      ? pill(`1v${atStart} CLUTCH WON`, healthColours.good)
      : pill(isOverButForBomb ? "BOMB TICKING" : `1 v ${left}`, "#ffffff");
    const changed = isWon ? wonTick : (changes.filter((change) => change <= tick).pop() ?? aloneFrom);
    return { sprite, since: seconds - timeMap.secondsAt(changed) };
  };
}
