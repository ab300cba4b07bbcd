import { highlightTypeOf, highlightTypes } from "../../contract/highlight-types.ts";
import type { ClipSegment } from "../../replay/clip-spec.ts";
import { lastStand, livingAfter, roundLives } from "../../replay/round-lives.ts";
import { plantedBomb } from "../bomb-timeline.ts";
import type { Sprite } from "../display-list.ts";
import { smallText } from "../layout.ts";
import { healthColours } from "../palette.ts";
import { paintPanel } from "../sprite-shelf.ts";
import { type Instant, type Panel, popped, type Stage } from "../stage.ts";
import { paintLine } from "../text.ts";

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

/**
 * The score as it is shown at a time, and for how many seconds of video; null while there is no clutch. Who is left is what clutches are
 * found by: bodies that lived in the round, those without a sample among them, and deaths until it was decided.
 */
export function clutchPill(stage: Stage): (time: Instant) => { sprite: Sprite; since: number } | null {
  const { shelf, timeline, timeMap } = stage;
  const { segment, round, record } = timeline;
  const team = record.players[segment.player]?.team ?? null;
  if (!round || team === null) return () => null;
  const lives = roundLives(record, round);
  const stand = lastStand(record, round, lives, team);
  const own = stand?.player === segment.player && stand.opponents > 0 ? stand : null;
  const size = clutchSize(segment) ?? own?.opponents ?? 0;
  const hasWonClutch = round.finished && round.winner === team && isNamed(size);
  const opposing = team === 0 ? 1 : 0;
  const until = lives.losses.find(({ body }) => body === own?.body)?.tick ?? Number.POSITIVE_INFINITY;
  const losses = lives.losses.filter((loss) => loss.team === opposing).map(({ tick }) => tick);
  const pill = (text: string, colour: string) => {
    const line = shelf.line(text, { weight: 700, size: smallText, colour: "" });
    const width = line.width + 40;
    return shelf.sprite(`clutch-${text}`, width, pillHeight, (context, kit) => {
      paintPanel(context, width, pillHeight, pillHeight / 2, "rgba(8, 13, 21, 0.86)", colour);
      paintLine(context, kit, line, 20, pillHeight / 2 + 1, colour);
    });
  };
  return ({ tick, seconds }) => {
    const sinceTick = (changed: number) => seconds - timeMap.secondsAt(changed);
    // Not when the last opponent falls: their bomb may still go off.
    if (round.finished && tick >= round.endTick) {
      if (!hasWonClutch) return null;
      return { sprite: pill(`1v${size} CLUTCH WON`, healthColours.good), since: sinceTick(round.endTick) };
    }
    if (!own || tick < own.tick || tick >= until) return null;
    const left = livingAfter(lives, opposing, tick).length;
    const isOverButForBomb = left === 0 && plantedBomb(timeline, tick) !== null;
    const changed = Math.max(own.tick, ...losses.filter((loss) => loss <= tick));
    return { sprite: pill(isOverButForBomb ? "BOMB TICKING" : `1 v ${left}`, "#ffffff"), since: sinceTick(changed) };
  };
}

/** Against how many the followed player's clutch is, where the clip is of it; null where it is of something else. */
function clutchSize({ captions, player }: ClipSegment): number | null {
  const types = captions.filter((caption) => caption.player === player).map(({ label }) => highlightTypeOf(label));
  const sizes = types.flatMap((type) => /^clutch_1v(\d)$/.exec(type ?? "")?.[1] ?? []);
  return sizes.length > 0 ? Number(sizes[0]) : null;
}

/** One against one, or against six, is no clutch. */
function isNamed(size: number): boolean {
  return highlightTypes.some((type) => type === `clutch_1v${size}`);
}
