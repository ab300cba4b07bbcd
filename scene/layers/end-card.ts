import { mapDisplayName } from "../../contract/maps.ts";
import type { ClipSegment, ClipSpec } from "../../replay/clip-spec.ts";
import type { PlayerIndex, Side } from "../../replay/match-record.ts";
import type { DisplayList, Sprite } from "../display-list.ts";
import { clamp, easeOut } from "../easing.ts";
import { headlineText } from "../headline-text.ts";
import { highlightKey } from "../highlight-key.ts";
import { smallText } from "../layout.ts";
import { accent, sidePalette } from "../palette.ts";
import type { TextLook } from "../sprite-shelf.ts";
import { putCentred, type Stage } from "../stage.ts";
import { cleanText, paintLine, writtenIn } from "../text.ts";
import { avatarSprite } from "./avatar.ts";
import { brandMark } from "./brand.ts";

/** Adds the card as it looks this many seconds after the last segment. */
export type EndCardLayer = (list: DisplayList, seconds: number) => void;

/** A highlight of the clip, listed once. */
interface NamedHighlight {
  label: string;
  index: PlayerIndex;
  player: string;
  side: Side;
}

/** A row of the card, and its height. */
interface Row {
  sprite: Sprite;
  /** Units. */
  height: number;
}

const arrivalSeconds = 0.3;
/** Rows appear one after the other. */
const rowDelaySeconds = 0.05;
/** Further highlights are only counted. */
const maxNamed = 3;
const lineHeight = 18;

/**
 * Sums up the clip: the highlight and its player, or several with the clip's name above; the score at its end; the clip's name.
 * @param stage of the last segment
 */
export function endCardLayer(stage: Stage, spec: ClipSpec): EndCardLayer {
  const { unit } = stage;
  const { middle, centre } = stage.layout.endCard;
  const highlights = namedHighlights(stage, spec.segments);
  const [only, ...others] = highlights;
  const above = only && others.length === 0 ? oneHighlight(stage, only) : severalHighlights(stage, highlights);
  const below = [...scoreLine(stage), ...nameLines(stage, spec)];
  const mark = brandMark(stage);
  const rows: Row[] = [...above, { sprite: accentLine(stage), height: lineHeight }, ...below, markRow(mark, unit)];
  const height = rows.reduce((sum, row) => sum + row.height, 0);
  return (list, seconds) => {
    let top = centre - height / 2;
    for (const [i, row] of rows.entries()) {
      const arrived = easeOut((seconds - i * rowDelaySeconds) / arrivalSeconds);
      const y = top + row.height / 2 + (1 - arrived) * 14;
      putCentred(list, row.sprite, middle * unit, y * unit, clamp(arrived, 0, 1));
      top += row.height;
    }
  };
}

/** The highlights of a clip in the order in which they are shown. */
function namedHighlights({ names, timeline }: Stage, segments: readonly ClipSegment[]): NamedHighlight[] {
  const shown = new Map<string, NamedHighlight>();
  for (const segment of segments) {
    for (const caption of segment.captions) {
      const team = timeline.record.players[caption.player]?.team;
      const round = timeline.record.rounds.find(({ number }) => number === segment.round);
      shown.set(highlightKey(segment, caption), {
        label: headlineText(caption.label),
        index: caption.player,
        player: names[caption.player] ?? "",
        side: (team === null || team === undefined ? null : round?.sides[team]) ?? "CT",
      });
    }
  }
  return [...shown.values()];
}

function oneHighlight(stage: Stage, { label, index, player, side }: NamedHighlight): Row[] {
  return [
    { sprite: avatarSprite(stage, index, 110), height: 130 },
    textRow(stage, label, { weight: 700, size: 72, colour: "#ffffff" }, 84),
    textRow(stage, player, { weight: 700, size: 46, colour: sidePalette[side].light }, 60),
  ];
}

/** Several highlights: what they were, who has most of them, and how many more there are. */
function severalHighlights(stage: Stage, highlights: readonly NamedHighlight[]): Row[] {
  const look = (side: Side) => ({ weight: 700, size: 38, colour: sidePalette[side].light }) as const;
  const rows = highlights
    .slice(0, maxNamed)
    .map(({ label, player, side }) => textRow(stage, `${label}  ·  ${player}`, look(side), 52));
  const more = highlights.length - maxNamed;
  if (more > 0) rows.push(textRow(stage, `and ${more} more`, { weight: 600, size: smallText, colour: "#b9c8d8" }, 44));
  return rows;
}

/** Both teams with their score when the clip ends, counter-terrorists on the left as on the scoreboard; the map and round. */
function scoreLine(stage: Stage): Row[] {
  const { timeline, timeMap, shelf } = stage;
  const { record, round } = timeline;
  const map = cleanText(mapDisplayName(record.map));
  const small = { weight: 600, size: smallText, colour: "#b9c8d8" } as const;
  if (!round) return [textRow(stage, map, small, 44)];
  const tick = timeMap.tickAt(timeMap.frameCount - 1);
  const scoreOf = (team: 0 | 1) =>
    round.scoreBefore[team] + (round.finished && round.winner === team && tick >= round.endTick ? 1 : 0);
  const sideTeam = (side: Side): 0 | 1 => (round.sides[0] === side ? 0 : 1);
  const part = (side: Side) => {
    const team = sideTeam(side);
    const widest = stage.layout.endCard.widest / 2 - 90;
    return {
      name: shelf.line(cleanText(record.teams[team].name) || side, { weight: 600, size: 34, colour: "", widest }),
      score: shelf.line(String(scoreOf(team)), { weight: 700, size: 46, colour: "" }),
      colour: sidePalette[side],
    };
  };
  const [left, right] = [part("CT"), part("T")];
  const colon = shelf.line(":", { weight: 700, size: 40, colour: "" });
  const gap = 16;
  // The colon is in the middle, however long the names are.
  const half = Math.max(...[left, right].map(({ name, score }) => gap + score.width + gap + name.width));
  const width = 2 * half + colon.width;
  const key = `end-score-${JSON.stringify([left, right].map(({ name, score }) => [name, score].map(writtenIn)))}`;
  const sprite = shelf.sprite(key, width, 58, (context, kit) => {
    const y = 30;
    paintLine(context, kit, colon, half, y - 3, "#dfe6ee");
    const leftScore = half - gap - left.score.width;
    paintLine(context, kit, left.score, leftScore, y, left.colour.main);
    paintLine(context, kit, left.name, leftScore - gap - left.name.width, y, left.colour.light);
    const rightScore = half + colon.width + gap;
    paintLine(context, kit, right.score, rightScore, y, right.colour.main);
    paintLine(context, kit, right.name, rightScore + right.score.width + gap, y, right.colour.light);
  });
  return [{ sprite, height: 62 }, textRow(stage, `${map}  ·  Round ${round.number}`, small, 42)];
}

function nameLines(stage: Stage, { title }: ClipSpec): Row[] {
  const { widest } = stage.layout.endCard;
  const look = { weight: 600, size: smallText, colour: "#8fa2b6", widest } as const;
  const name = cleanText(title);
  if (name === "") return [];
  return stage.shelf.wrapped(name, look, 2).map((line) => textRow(stage, writtenIn(line), look, 38));
}

function markRow(mark: Sprite, unit: number): Row {
  return { sprite: mark, height: mark.height / unit + 12 };
}

function textRow({ shelf, layout }: Stage, text: string, look: TextLook, height: number): Row {
  return { sprite: shelf.text(text, { widest: layout.endCard.widest, ...look }), height };
}

function accentLine({ shelf }: Stage): Sprite {
  return shelf.sprite("end-line", 220, 4, (context) => {
    context.fillStyle = accent;
    context.beginPath();
    context.roundRect(0, 0, 220, 4, 2);
    context.fill();
  });
}
