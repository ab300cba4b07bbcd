import { boundedLine } from "../../contract/clean-text.ts";
import { highlightTypeOf } from "../../contract/highlight-types.ts";
import { mapDisplayName } from "../../contract/maps.ts";
import type { ClipCaption } from "../../replay/clip-spec.ts";
import type { Sprite } from "../display-list.ts";
import { clamp, easeOut } from "../easing.ts";
import { headlineText } from "../headline-text.ts";
import { smallText } from "../layout.ts";
import { accent } from "../palette.ts";
import type { SegmentTimeline } from "../segment-timeline.ts";
import type { SpriteShelf } from "../sprite-shelf.ts";
import { type Panel, put, type Stage } from "../stage.ts";
import { cleanText, paintLine, type TextLine } from "../text.ts";
import type { KillFeed, Plate } from "./kill-feed.ts";

/** How long it takes to read a title, which is gone this long before the first moment. */
const titleSeconds = 2;
const clearBeforeMoment = 0.25;
/** Less than this cannot be read. */
const minTitleSeconds = 0.8;
/** After this long a title may make room for another one. */
const readSeconds = 1.2;
/** Tolerance for rounding errors in sums of seconds: far less than a frame. */
const roundingSeconds = 0.001;
/** Delay after the last moment, when the banner has named it. */
const outcomeDelaySeconds = 0.4;
const fadeSeconds = 0.2;
/** Characters: the round must fit next to it. */
const maxMapNameLength = 24;
const maxReasonLines = 3;
/** Between two titles. */
const gap = 6;
/** Beside the text, both sides together. */
const sidePadding = 44;

/** A text about a highlight, shown for a while. */
export interface Title extends Plate {
  caption: ClipCaption;
  sprite: Sprite;
}

/** Introductions, shown once per clip at the highlight's beginning: what it is, whose, where. */
export function planIntroductions(stage: Stage): Title[] {
  const { timeMap, timeline } = stage;
  const introduced = timeline.segment.captions.filter((caption) => stage.introduced.has(caption));
  return introduced
    .map((caption) => {
      const fromTick = Math.max(caption.startTick, timeline.segment.startTick);
      const [from, to] = [timeMap.secondsAt(fromTick), titleEnd(stage, fromTick)];
      return titleOf(stage, caption, titleBlock(stage, caption), from, to);
    })
    .filter(({ from, to }) => to > from);
}

/** Shown when a highlight is over: its reason. A reason that counts kills would give away the end before. */
function planOutcome(stage: Stage, caption: ClipCaption): Title {
  const { timeMap, timeline } = stage;
  const from = timeMap.secondsAt(lastTickOf(timeline, caption)) + outcomeDelaySeconds;
  const to = timeMap.secondsAt(Math.min(caption.endTick, timeline.segment.endTick));
  return titleOf(stage, caption, outcomeBlock(stage, caption), from, to);
}

function titleOf({ layout, unit }: Stage, caption: ClipCaption, sprite: Sprite, from: number, to: number): Title {
  return { caption, sprite, from, to, right: layout.titles.left * unit + sprite.width };
}

/** A title in the column of titles. */
interface Placed extends Title {
  /** Its position in frame pixels if nothing is above it. */
  top: number;
  /** Comes in from the left. */
  isIntroduction: boolean;
}

/**
 * Introductions and outcomes; those of one segment's highlights are stacked. An outcome is next to the feed if both have
 * room, else below it. If a new one finds no room, the one that has been up longest leaves.
 */
export function titlePanel(stage: Stage, introductions: readonly Title[], feed: KillFeed | null): Panel {
  const { unit } = stage;
  const { left, top, bottom } = stage.layout.titles;
  const planned = stage.timeline.segment.captions.flatMap((caption): Placed[] => {
    const introduction = introductions.find((title) => title.caption === caption);
    const outcome = planOutcome(stage, caption);
    const outcomeTop = Math.max(top * unit, feed?.bottomBeside(outcome) ?? 0);
    return [
      ...(introduction ? [{ ...introduction, top: top * unit, isIntroduction: true }] : []),
      { ...outcome, top: outcomeTop, isIntroduction: false },
    ];
  });
  const titles = planned.filter((title) => title.top + title.sprite.height <= bottom * unit);
  makeRoom(stage, titles);
  return (list, { seconds }) => {
    for (const { title, y } of column(stage, titles, seconds)) {
      const arrived = easeOut((seconds - title.from) / 0.35);
      const alpha = arrived * clamp((title.to - seconds) / fadeSeconds, 0, 1);
      put(list, title.sprite, left * unit - (title.isIntroduction ? (1 - arrived) * 40 * unit : 0), y, alpha);
    }
  };
}

/** The titles that are shown at a time, from top to bottom. */
function column({ layout, unit }: Stage, titles: readonly Placed[], seconds: number): { title: Placed; y: number }[] {
  let free = layout.titles.top * unit;
  return titles
    .filter(({ from, to }) => seconds >= from && seconds < to)
    .map((title) => {
      const y = Math.max(free, title.top);
      free = y + title.sprite.height + gap * unit;
      return { title, y };
    });
}

/**
 * If a title has no room, the one that has been up longest leaves; the new one waits until that one has been read, and is dropped
 * if there is not enough time left to read it. Of several that began at once, the first in order stay.
 */
function makeRoom(stage: Stage, titles: readonly Placed[]): void {
  const bottom = stage.layout.titles.bottom * stage.unit;
  const coming = titles.filter(({ from, to }) => from < to);
  const come = new Set<Placed>();
  while (coming.length > 0) {
    const next = coming.reduce((first, title) => (title.from < first.from ? title : first));
    const shown = column(
      stage,
      titles.filter((title) => title === next || come.has(title)),
      next.from,
    );
    const oldest = shown.reduce<Placed | null>((longest, { title }) => {
      return title !== next && (!longest || title.from <= longest.from) ? title : longest;
    }, null);
    if (!oldest || shown.every(({ title, y }) => y + title.sprite.height <= bottom)) {
      come.add(next);
      coming.splice(coming.indexOf(next), 1);
    } else if (oldest.from + readSeconds <= next.from) oldest.to = next.from;
    else {
      next.from = oldest.from + readSeconds;
      if (next.to - next.from >= minTitleSeconds - roundingSeconds) continue;
      next.to = next.from;
      coming.splice(coming.indexOf(next), 1);
    }
  }
}

/** When a title that begins at a tick ends, in seconds of video; its beginning if there is no time to read it. */
function titleEnd({ timeline, timeMap }: Stage, fromTick: number): number {
  const { kills, bomb, segment } = timeline;
  const isMoment = (tick: number) => segment.captions.some((caption) => caption.momentTicks.includes(tick));
  // The followed player's other kills count as well.
  const own = kills.filter(({ attacker, tick }) => attacker === segment.player || isMoment(tick));
  const moments = [...own, ...bomb.filter(({ tick }) => isMoment(tick))].filter(({ tick }) => tick >= fromTick);
  const from = timeMap.secondsAt(fromTick);
  const end = Math.min(
    from + titleSeconds,
    timeMap.secondsAt(Math.min(...moments.map(({ tick }) => tick))) - clearBeforeMoment,
  );
  return end - from < minTitleSeconds ? from : end;
}

/** When it is known how the highlight ended: at its last kill or defuse, a clutch with the round. */
function lastTickOf({ round }: SegmentTimeline, { label, momentTicks, endTick }: ClipCaption): number {
  const last = Math.max(...momentTicks);
  const isClutch = highlightTypeOf(label)?.startsWith("clutch_") ?? false;
  if (isClutch && round?.finished) return Math.max(last, round.endTick);
  // A moment marked by hand without a kill has no outcome.
  return momentTicks.length > 0 ? last : endTick;
}

function titleBlock(stage: Stage, caption: ClipCaption): Sprite {
  const { shelf, timeline, names } = stage;
  const { segment, record } = timeline;
  const widest = stage.layout.titles.widest - sidePadding;
  const label = shelf.line(headlineText(caption.label), { weight: 700, size: 44, colour: "", widest });
  const who = shelf.line(names[caption.player] ?? "", { weight: 700, size: 34, colour: "", widest });
  const map = boundedLine(cleanText(mapDisplayName(record.map)), maxMapNameLength);
  const place = `${map}  ·  Round ${segment.round}`;
  const where = shelf.wrapped(place, { weight: 600, size: smallText, colour: "", widest }, maxReasonLines);
  const lines = [label, who, ...where];
  const key = `intro-${JSON.stringify(lines.map((line) => line.runs.map((run) => run.text)))}`;
  return panel(shelf, key, lines, 104 + where.length * 36, (context, kit) => {
    paintLine(context, kit, label, 20, 34, "#ffffff");
    paintLine(context, kit, who, 20, 76, "#ff8c98");
    for (const [i, line] of where.entries()) paintLine(context, kit, line, 20, 114 + i * 36, "#b9c8d8");
  });
}

function outcomeBlock(stage: Stage, caption: ClipCaption): Sprite {
  const { shelf } = stage;
  const text = headlineText(caption.label);
  const widest = stage.layout.titles.widest - sidePadding;
  const label = shelf.line(text, { weight: 700, size: 34, colour: "", widest });
  const reason = shelf.wrapped(
    cleanText(caption.reason),
    { weight: 600, size: smallText, colour: "", widest },
    maxReasonLines,
  );
  const key = `outcome-${JSON.stringify([text, ...reason.map((line) => line.runs.map((run) => run.text))])}`;
  return panel(shelf, key, [label, ...reason], 58 + reason.length * 36, (context, kit) => {
    paintLine(context, kit, label, 20, 30, "#ffffff");
    for (const [i, line] of reason.entries()) paintLine(context, kit, line, 20, 68 + i * 36, "#e6edf5");
  });
}

/** A dark plate as wide as its widest line, with the accent's edge. */
function panel(shelf: SpriteShelf, key: string, lines: TextLine[], height: number, paint: Sprite["paint"]): Sprite {
  const width = Math.max(...lines.map((line) => line.width)) + sidePadding;
  return shelf.sprite(key, width, height, (context, kit) => {
    const shade = context.createLinearGradient(0, 0, width, 0);
    shade.addColorStop(0, "rgba(6, 10, 16, 0.88)");
    shade.addColorStop(0.7, "rgba(6, 10, 16, 0.78)");
    shade.addColorStop(1, "rgba(6, 10, 16, 0.3)");
    context.fillStyle = shade;
    context.beginPath();
    context.roundRect(0, 0, width, height, 8);
    context.fill();
    context.fillStyle = accent;
    context.beginPath();
    context.roundRect(0, 0, 5, height, [8, 0, 0, 8]);
    context.fill();
    paint(context, kit);
  });
}
