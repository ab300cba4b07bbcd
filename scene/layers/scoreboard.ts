import { beepPhase, bombSeconds } from "../../replay/bomb-beeps.ts";
import type { PlayerIndex, Side } from "../../replay/match-record.ts";
import { clamp } from "../easing.ts";
import { smallText } from "../layout.ts";
import { accent, healthColours, sidePalette } from "../palette.ts";
import { paintIcon, paintPanel } from "../sprite-shelf.ts";
import { type Panel, put, putBar, putCentred, putNumber, type Stage } from "../stage.ts";
import { cleanText } from "../text.ts";
import { plantedBomb } from "./bomb.ts";

const rowHeight = 54;
const namesHeight = 34;
const pipStep = 17;
/** From the middle: half of what the clock takes, the score's middle, and that of the first living player's sign. */
const scoreAt = 90;
const firstPipAt = 126;

/** Round time without bomb in seconds: `mp_roundtime_defuse` of the mode. */
function roundSeconds(gameMode: string): number {
  return /wingman/i.test(gameMode) ? 90 : 115;
}

/** Both sides' living players, the score, and the round clock or the bomb's timer. Counter-terrorists on the left. */
export function scoreboardPanel(stage: Stage): Panel {
  const { shelf, timeline, unit } = stage;
  const { record, round } = timeline;
  const roster = (side: Side): PlayerIndex[] => timeline.roster.filter((player) => timeline.sides[player] === side);
  const sides = { CT: roster("CT"), T: roster("T") };
  const teamOf = (side: Side) => (round?.sides[0] === side ? 0 : 1);
  const teamNames = { CT: cleanText(record.teams[teamOf("CT")].name), T: cleanText(record.teams[teamOf("T")].name) };
  const maxPlayers = Math.max(sides.CT.length, sides.T.length, 5);
  const place = stage.layout.scoreboard;
  const hasNames = place.hasTeamNames && (teamNames.CT !== "" || teamNames.T !== "");
  const width = 2 * (firstPipAt + (maxPlayers - 1) * pipStep + 20);
  const height = rowHeight + (hasNames ? namesHeight : 0);
  const pipMiddle = -3;
  const centre = place.middle * unit;
  const left = centre - (width / 2) * unit;
  const score = { weight: 700, size: 36 } as const;
  const panel = shelf.sprite(`scoreboard-${width}-${height}`, width, height, (context) => {
    paintPanel(context, 0, 0, width, height, 10);
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
  const pipHeight = 24;
  const pips = { CT: pipSprites("CT"), T: pipSprites("T") };
  function pipSprites(side: Side) {
    const outline = (context: Parameters<typeof paintPanel>[0]) => {
      context.beginPath();
      if (side === "CT") context.roundRect(1, 1, 12, pipHeight - 2, 3);
      else {
        context.moveTo(4.5, 1);
        context.lineTo(13, 1);
        context.lineTo(9.5, pipHeight - 1);
        context.lineTo(1, pipHeight - 1);
        context.closePath();
      }
    };
    const pip = (key: string, fill: string) =>
      shelf.sprite(`pip-${side}-${key}`, 14, pipHeight, (context) => {
        outline(context);
        context.fillStyle = fill;
        context.fill();
      });
    return { alive: pip("alive", sidePalette[side].main), dead: pip("dead", "rgba(120, 140, 160, 0.22)") };
  }
  const bombIcon = shelf.sprite("scoreboard-bomb", 26, 26, (context, kit) => {
    paintIcon(context, kit, "time-bomb", 13, 13, 24, 24, accent);
  });
  const clockLook = { weight: 700, size: 34, colour: "#ffffff" } as const;
  const bombLook = { ...clockLook, colour: "#ff6b6b" } as const;
  const scoreBefore = (side: Side) => round?.scoreBefore[teamOf(side)] ?? 0;

  return (list, { tick }) => {
    const y = place.top * unit;
    const middle = y + (rowHeight / 2) * unit;
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
      sides[side].forEach((player, i) => {
        const x = centre + direction * (firstPipAt + i * pipStep) * unit;
        const isAlive = timeline.isAlive(player, tick);
        const pip = isAlive ? pips[side].alive : pips[side].dead;
        putCentred(list, pip, x, middle + pipMiddle * unit);
        // With x-ray off the health of opponents stays their secret.
        const isKnown = stage.sight === null || timeline.isTeammate(player, timeline.segment.player);
        if (!isAlive || !isKnown) return;
        const health = clamp((timeline.state(player, tick)?.health ?? 0) / 100, 0, 1);
        const barLeft = Math.round(x - 6.5 * unit);
        putBar(
          list,
          barLeft,
          Math.round(middle + (pipMiddle + pipHeight / 2 + 3) * unit),
          Math.round(13 * unit),
          Math.max(1, Math.round(3 * unit)),
          "#2a3646",
        );
        putBar(
          list,
          barLeft,
          Math.round(middle + (pipMiddle + pipHeight / 2 + 3) * unit),
          Math.max(1, Math.round(13 * health * unit)),
          Math.max(1, Math.round(3 * unit)),
          health > 0.5 ? healthColours.good : health > 0.2 ? healthColours.hurt : healthColours.critical,
        );
      });
      if (hasNames && teamNames[side] !== "") {
        const look = {
          weight: 600,
          size: smallText,
          colour: sidePalette[side].light,
          widest: width / 2 - 30,
        } as const;
        const sprite = shelf.text(teamNames[side], look);
        const outer = centre + direction * (width / 2 - 13) * unit;
        const namesMiddle = y + (height - namesHeight / 2 - 3) * unit;
        put(list, sprite, direction < 0 ? outer : outer - sprite.width, namesMiddle - sprite.height / 2);
      }
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
        Math.round(y + (rowHeight - 4) * unit),
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
