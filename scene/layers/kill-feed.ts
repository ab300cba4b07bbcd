import { itemAt } from "../../replay/checked-reads.ts";
import type { RecordedKill } from "../../replay/match-record.ts";
import type { Sprite } from "../display-list.ts";
import { clamp, easeOut } from "../easing.ts";
import type { IconName } from "../icons/icon-paths.ts";
import { weaponLook } from "../icons/weapon-icons.ts";
import { accent, sidePalette } from "../palette.ts";
import { iconWidth, paintIcon, paintPanel } from "../sprite-shelf.ts";
import { type Layer, put, type Stage } from "../stage.ts";
import { paintLine } from "../text.ts";

const shownSeconds = 7;
const fadeSeconds = 0.5;
const cardHeight = 30;
const gap = 5;
const maxCards = 6;
/** Below the scoreboard: the longest cards reach under it. */
const feedTop = 82;

/** The round's latest kills at the upper right, newest last, as the game lists them. */
export function killFeedLayer(stage: Stage): Layer {
  const { timeline, timeMap, unit } = stage;
  const cards = timeline.kills.map((kill) => ({ from: timeMap.secondsAt(kill.tick), card: killCard(stage, kill) }));
  return (list, moment) => {
    let y = feedTop * unit;
    const shown = cards.filter(({ from }) => moment.seconds >= from && moment.seconds - from < shownSeconds);
    for (const { from, card } of shown.slice(-maxCards)) {
      const seconds = moment.seconds - from;
      const arrived = easeOut(seconds / 0.28);
      const remaining = clamp((shownSeconds - seconds) / fadeSeconds, 0, 1);
      put(list, card, stage.width - 20 * unit - card.width + (1 - arrived) * 60 * unit, y, arrived * remaining);
      y += (cardHeight + gap) * unit * Math.min(arrived, remaining);
    }
  };
}

function killCard(stage: Stage, kill: RecordedKill): Sprite {
  const { shelf, names, timeline } = stage;
  const look = { weight: 700, size: 17, colour: "", widest: 150 } as const;
  const colourOf = (side: RecordedKill["victimSide"]) => (side ? sidePalette[side].main : "#d5dbe4");
  const killer = kill.attacker === kill.victim ? null : kill.attacker;
  const attacker = killer === null ? null : shelf.line(itemAt(names, killer), look);
  const assister =
    kill.assister === null ? null : shelf.line(itemAt(names, kill.assister), { ...look, weight: 600, widest: 120 });
  const assisterSide = kill.assister === null ? null : (timeline.sides[kill.assister] ?? null);
  const victim = shelf.line(itemAt(names, kill.victim), look);
  const plus = shelf.line("+", look);

  const before: IconName[] = [];
  if (kill.attackerBlind) before.push("blindfold");
  if (kill.attackerInAir) before.push("jump-across");
  const after: IconName[] = [];
  if (kill.noScope) after.push("crosshair");
  if (kill.throughSmoke) after.push("smoking-orb");
  if (kill.penetrated > 0) after.push("brick-wall");
  if (kill.headshot) after.push("headshot");
  const weapon = weaponLook(kill.weapon).icon;
  const weaponHeight = 19;
  const weaponWidth = iconWidth(weapon, weaponHeight, 56);
  const flagSize = 17;

  const assistWidth = assister ? plus.width + assister.width + 10 + (kill.flashAssist ? 21 : 0) : 0;
  const nameWidth = attacker ? attacker.width + assistWidth + 10 : 0;
  const width = 11 + nameWidth + (before.length + after.length) * (flagSize + 5) + weaponWidth + 10 + victim.width + 11;
  const { player } = timeline.segment;
  const isOwn = kill.attacker === player || kill.victim === player;
  const written = [attacker, assister, victim].map((line) => line?.runs.map((run) => run.text).join("") ?? "");
  const looks = [kill.attackerSide, assisterSide, kill.victimSide, kill.flashAssist, isOwn];
  const key = `kill-${JSON.stringify([written, looks, before, weapon, after])}`;

  return shelf.sprite(key, width, cardHeight, (context, kit) => {
    const fill = isOwn ? "rgba(38, 10, 15, 0.9)" : "rgba(8, 13, 21, 0.82)";
    paintPanel(context, 0, 0, width, cardHeight, 6, fill, isOwn ? accent : "rgba(140, 180, 220, 0.25)");
    const middle = cardHeight / 2;
    let x = 11;
    if (attacker) {
      paintLine(context, kit, attacker, x, middle + 0.5, colourOf(kill.attackerSide));
      x += attacker.width;
      if (assister) {
        paintLine(context, kit, plus, x + 4, middle, "rgba(255, 255, 255, 0.6)");
        x += plus.width + 8;
        if (kill.flashAssist) {
          paintIcon(context, kit, "sunken-eye", x + 8, middle, flagSize, flagSize, "#ffffff");
          x += 21;
        }
        paintLine(context, kit, assister, x, middle + 0.5, colourOf(assisterSide));
        x += assister.width + 2;
      }
      x += 10;
    }
    for (const icon of before) {
      paintIcon(context, kit, icon, x + flagSize / 2, middle, flagSize, flagSize, "#ffffff");
      x += flagSize + 5;
    }
    paintIcon(context, kit, weapon, x + weaponWidth / 2, middle, weaponWidth, weaponHeight, "#ffffff");
    x += weaponWidth + 5;
    for (const icon of after) {
      paintIcon(context, kit, icon, x + flagSize / 2, middle, flagSize, flagSize, "#ffffff");
      x += flagSize + 5;
    }
    paintLine(context, kit, victim, x + 5, middle + 0.5, colourOf(kill.victimSide));
  });
}
