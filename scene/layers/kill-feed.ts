import { itemAt } from "../../replay/checked-reads.ts";
import type { RecordedKill } from "../../replay/match-record.ts";
import type { Sprite } from "../display-list.ts";
import { clamp, easeOut } from "../easing.ts";
import type { IconName } from "../icons/icon-paths.ts";
import { weaponLook } from "../icons/weapon-icons.ts";
import { smallText } from "../layout.ts";
import { accent, sidePalette } from "../palette.ts";
import { iconWidth, paintIcon, paintPanel } from "../sprite-shelf.ts";
import { type Panel, put, type Stage } from "../stage.ts";
import { paintLine, type TextLine } from "../text.ts";

const shownSeconds = 6;
const fadeSeconds = 0.5;
const cardHeight = 42;
const gap = 5;
const maxCards = 3;

export interface KillFeed {
  draw: Panel;
  /** The lower end, in frame pixels, of the room that a plate has to leave for the feed; 0 if none of its cards come near. */
  bottomBeside(plate: Plate): number;
}

/** A plate to the left of the feed for a while. */
export interface Plate {
  /** Seconds of video. */
  from: number;
  to: number;
  /** Its edge, in frame pixels. */
  right: number;
}

const isShownWith = (cardFrom: number, { from, to }: Plate) => cardFrom < to && cardFrom + shownSeconds > from;

/**
 * The round's latest kills, newest last, as in the game.
 * @param beside plates that are there first: cards shown with one have the room that it leaves
 */
export function planKillFeed(stage: Stage, beside: readonly Plate[]): KillFeed {
  const { timeline, timeMap, unit } = stage;
  const { right, top, widest } = stage.layout.killFeed;
  const roomAt = (from: number) =>
    beside
      .filter((plate) => isShownWith(from, plate))
      .reduce((room, plate) => Math.min(room, right - plate.right / unit - gap), widest);
  const cards = timeline.kills.map((kill) => {
    const from = timeMap.secondsAt(kill.tick);
    return { from, card: killCard(stage, kill, roomAt(from)) };
  });
  const shownAt = (seconds: number) =>
    cards
      .map(({ from, card }) => ({ card, seconds: seconds - from }))
      .filter(({ seconds }) => seconds >= 0 && seconds < shownSeconds);
  const draw: Panel = (list, time) => {
    const shown = shownAt(time.seconds);
    const arrivedOf = (seconds: number) => easeOut(seconds / 0.28);
    let y = top * unit;
    // The card that the newest one pushes out disappears at once; the others move up smoothly.
    const [pushing] = shown
      .slice(maxCards)
      .map(({ seconds }) => arrivedOf(seconds))
      .slice(-1);
    if (pushing !== undefined) y += (1 - pushing) * (cardHeight + gap) * unit;
    for (const { card, seconds } of shown.slice(-maxCards)) {
      const arrived = arrivedOf(seconds);
      const remaining = clamp((shownSeconds - seconds) / fadeSeconds, 0, 1);
      put(list, card, right * unit - card.width + (1 - arrived) * 60 * unit, y, arrived * remaining);
      y += (cardHeight + gap) * unit * Math.min(arrived, remaining);
    }
  };
  return {
    draw,
    bottomBeside(plate) {
      const during = cards.filter(({ from }) => isShownWith(from, plate));
      const isNear = during.some(({ card }) => right * unit - card.width < plate.right + gap * unit);
      if (!isNear) return 0;
      const rows = Math.max(...during.map(({ from }) => shownAt(Math.max(from, plate.from)).length));
      return (top + Math.min(rows, maxCards) * (cardHeight + gap)) * unit;
    },
  };
}

function killCard(stage: Stage, kill: RecordedKill, widest: number): Sprite {
  const { shelf, names, timeline } = stage;
  const colourOf = (side: RecordedKill["victimSide"]) => (side ? sidePalette[side].main : "#d5dbe4");
  const killer = kill.attacker === kill.victim ? null : kill.attacker;

  const before: IconName[] = [];
  if (kill.attackerBlind) before.push("blindfold");
  if (kill.attackerInAir) before.push("jump-across");
  const after: IconName[] = [];
  if (kill.noScope) after.push("crosshair");
  if (kill.throughSmoke) after.push("smoking-orb");
  if (kill.penetrated > 0) after.push("brick-wall");
  if (kill.headshot) after.push("headshot");
  const weapon = weaponLook(kill.weapon).icon;
  const weaponHeight = 25;
  const weaponWidth = iconWidth(weapon, weaponHeight, 66);
  const flagSize = 25;
  const flagStep = flagSize + 5;
  const padding = 10;

  const signs = 2 * padding + 8 + (before.length + after.length) * flagStep + weaponWidth + 10;
  // Signs tell what is special about a kill: names are cut first, and the assister is left out.
  const [victim, attacker = null] = namesIn(stage, widest - signs, [
    itemAt(names, kill.victim),
    ...(killer === null ? [] : [itemAt(names, killer)]),
  ]);
  const withoutAssister = signs + (attacker ? attacker.width : -8) + victim.width;
  const assist = assistOf(stage, kill, widest - withoutAssister);
  const width = withoutAssister + (assist?.width ?? 0);
  const { player } = timeline.segment;
  const isOwn = kill.attacker === player || kill.victim === player;
  const written = [attacker, assist?.name, victim].map((line) => line?.runs.map((run) => run.text).join("") ?? "");
  const looks = [kill.attackerSide, assist?.side, kill.victimSide, kill.flashAssist, isOwn];
  const key = `kill-${JSON.stringify([written, looks, before, weapon, after])}`;

  return shelf.sprite(key, width, cardHeight, (context, kit) => {
    const fill = isOwn ? "rgba(38, 10, 15, 0.9)" : "rgba(8, 13, 21, 0.82)";
    paintPanel(context, width, cardHeight, 7, fill, isOwn ? accent : "rgba(140, 180, 220, 0.25)");
    const middle = cardHeight / 2;
    const paintFlag = (icon: IconName) => {
      paintIcon(context, kit, icon, x + flagSize / 2, middle, flagSize, flagSize, "#ffffff");
      x += flagStep;
    };
    let x = padding;
    if (attacker) {
      paintLine(context, kit, attacker, x, middle + 1, colourOf(kill.attackerSide));
      x += attacker.width;
      if (assist) {
        paintLine(context, kit, assist.plus, x + 4, middle, "rgba(255, 255, 255, 0.6)");
        x += assist.plus.width + 8;
        if (kill.flashAssist) paintFlag("sunken-eye");
        paintLine(context, kit, assist.name, x, middle + 1, colourOf(assist.side));
        x += assist.name.width + 2;
      }
      x += 8;
    }
    for (const icon of before) paintFlag(icon);
    paintIcon(context, kit, weapon, x + weaponWidth / 2, middle, weaponWidth, weaponHeight, "#ffffff");
    x += weaponWidth + 5;
    for (const icon of after) paintFlag(icon);
    paintLine(context, kit, victim, x + 5, middle + 1, colourOf(kill.victimSide));
  });
}

/** Names side by side within a width in units: in full if they fit, else the longer one is truncated first. */
function namesIn({ shelf }: Stage, room: number, [first, ...others]: [string, ...string[]]): [TextLine, ...TextLine[]] {
  const lineOf = (name: string, widest = Number.POSITIVE_INFINITY) =>
    shelf.line(name, { weight: 700, size: smallText, colour: "", widest });
  const [second] = others;
  if (second === undefined) return [lineOf(first, room)];
  const [own, other] = [lineOf(first).width, lineOf(second).width];
  // A name that needs less than half leaves the rest to the other.
  return [lineOf(first, Math.max(room / 2, room - other)), lineOf(second, Math.max(room / 2, room - own))];
}

/** Who assisted, where there is room for it. */
function assistOf(
  { shelf, names, timeline }: Stage,
  { assister, attacker, victim, flashAssist }: RecordedKill,
  room: number,
): { plus: TextLine; name: TextLine; side: RecordedKill["victimSide"]; width: number } | null {
  if (assister === null || attacker === null || attacker === victim) return null;
  const plus = shelf.line("+", { weight: 700, size: smallText, colour: "" });
  const name = shelf.line(itemAt(names, assister), { weight: 600, size: smallText, colour: "", widest: 120 });
  const width = plus.width + name.width + 10 + (flashAssist ? 30 : 0);
  return width > room ? null : { plus, name, side: timeline.sides[assister] ?? null, width };
}
