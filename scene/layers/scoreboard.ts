import { beepPhase, bombSeconds } from "../../replay/bomb-beeps.ts";
import type { Side } from "../../replay/match-record.ts";
import { plantedBomb } from "../bomb-timeline.ts";
import { clamp } from "../easing.ts";
import { scoreboardHalf, smallText } from "../layout.ts";
import { accent, healthColours, sidePalette } from "../palette.ts";
import { paintIcon, paintPanel, textPadding } from "../sprite-shelf.ts";
import { type Panel, put, putBar, putCentred, putNumber, type Stage } from "../stage.ts";
import { cleanText } from "../text.ts";

const height = 54;
/** From the middle to the score's middle. */
const scoreAt = 90;
/** From the score's part, two digits wide, to the team's name, and from that to the edge. */
const beforeName = 6;
const afterName = 16;

/** Round time without bomb in seconds: `mp_roundtime_defuse` of the mode. */
function roundSeconds(gameMode: string): number {
  return /wingman/i.test(gameMode) ? 90 : 115;
}

/** The score, the round clock or the bomb's timer, and the teams' names where there is room. Counter-terrorists on the left. */
export function scoreboardPanel(stage: Stage): Panel {
  const { shelf, timeline, unit } = stage;
  const { record, round } = timeline;
  const teamOf = (side: Side) => (round?.sides[0] === side ? 0 : 1);
  const place = stage.layout.scoreboard;
  const nameOf = (side: Side) => {
    const look = { weight: 600, size: smallText, colour: sidePalette[side].light, widest: place.widestName } as const;
    const name = place.widestName > 0 ? cleanText(record.teams[teamOf(side)].name) : "";
    return name === "" ? null : { sprite: shelf.text(name, look), width: shelf.line(name, look).width };
  };
  const names = { CT: nameOf("CT"), T: nameOf("T") };
  const widestName = Math.max(names.CT?.width ?? 0, names.T?.width ?? 0);
  const half = Math.ceil(scoreboardHalf + (widestName > 0 ? beforeName + widestName + afterName : 0));
  const width = 2 * half;
  const centre = place.middle * unit;
  const left = centre - half * unit;
  const score = { weight: 700, size: 36 } as const;
  const panel = shelf.sprite(`scoreboard-${width}`, width, height, (context) => {
    paintPanel(context, width, height, 10);
    for (const [from, side] of [
      [0, "CT"],
      [width - 5, "T"],
    ] as const) {
      context.fillStyle = sidePalette[side].main;
      context.beginPath();
      context.roundRect(from, 9, 5, height - 18, side === "CT" ? [0, 3, 3, 0] : [3, 0, 0, 3]);
      context.fill();
    }
  });
  const bombIcon = shelf.sprite("scoreboard-bomb", 26, 26, (context, kit) => {
    paintIcon(context, kit, "time-bomb", 13, 13, 24, 24, accent);
  });
  const clockLook = { weight: 700, size: 34, colour: "#ffffff" } as const;
  const bombLook = { ...clockLook, colour: "#ff6b6b" } as const;
  const scoreBefore = (side: Side) => round?.scoreBefore[teamOf(side)] ?? 0;

  return (list, { tick }) => {
    const y = place.top * unit;
    const middle = y + (height / 2) * unit;
    put(list, panel, left, y);
    for (const side of ["CT", "T"] as const) {
      const direction = side === "CT" ? -1 : 1;
      const isOver = round?.finished && round.winner === teamOf(side) && tick >= round.endTick;
      putNumber(
        list,
        stage,
        String(scoreBefore(side) + (isOver ? 1 : 0)),
        { ...score, colour: sidePalette[side].main },
        centre + direction * scoreAt * unit,
        middle + unit,
        "centre",
      );
      const name = names[side];
      if (!name) continue;
      const inner = centre + direction * (scoreboardHalf + beforeName) * unit;
      const nameLeft = direction < 0 ? inner - (name.width + textPadding) * unit : inner - textPadding * unit;
      put(list, name.sprite, nameLeft, middle + unit - name.sprite.height / 2);
    }

    const bomb = plantedBomb(timeline, tick);
    if (bomb && bomb.defusedTick === null && bomb.explodedTick === null) {
      const secondsLeft = clamp(bomb.secondsLeft, 0, bombSeconds);
      const text = secondsLeft < 10 ? secondsLeft.toFixed(1) : `0:${String(Math.ceil(secondsLeft)).padStart(2, "0")}`;
      const lit = 1 - 0.65 * (beepPhase(bombSeconds - secondsLeft) ?? 1);
      putCentred(list, bombIcon, centre - 46 * unit, middle, lit);
      putNumber(list, stage, text, bombLook, centre + 12 * unit, middle + unit, "centre");
      const barWidth = (width - 24) * unit;
      putBar(
        list,
        Math.round(centre - barWidth / 2),
        Math.round(y + (height - 4) * unit),
        Math.round((barWidth * secondsLeft) / bombSeconds),
        Math.max(2, Math.round(3 * unit)),
        accent,
        0.95,
      );
      return;
    }
    const start = round?.freezeEndTick ?? timeline.segment.startTick;
    const stopped = Math.min(tick, bomb?.defusedTick ?? bomb?.explodedTick ?? round?.endTick ?? tick);
    const left115 = roundSeconds(record.gameMode) - Math.max(0, stopped - start) / timeline.tickRate;
    const seconds = bomb ? 0 : Math.max(0, Math.ceil(left115));
    if (bomb) {
      const isDefused = bomb.defusedTick !== null;
      const look = { weight: 700, size: smallText, colour: isDefused ? healthColours.good : "#ff6b6b" } as const;
      putCentred(list, shelf.text(isDefused ? "DEFUSED" : "EXPLODED", look), centre, middle + unit);
    } else {
      const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      putNumber(list, stage, text, clockLook, centre, middle + unit, "centre");
    }
  };
}
