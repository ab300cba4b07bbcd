import { boundedLine } from "../../contract/clean-text.ts";
import { highlightTypeOf } from "../../contract/highlight-types.ts";
import { mapDisplayName } from "../../contract/maps.ts";
import type { ClipCaption } from "../../replay/clip-spec.ts";
import type { Sprite } from "../display-list.ts";
import { clamp, easeOut } from "../easing.ts";
import { headlineText } from "../headline-text.ts";
import { accent } from "../palette.ts";
import type { SegmentTimeline } from "../segment-timeline.ts";
import { paintPanel, type SpriteShelf, type TextLook } from "../sprite-shelf.ts";
import { type Layer, put, type Stage } from "../stage.ts";
import { cleanText, paintLine, type TextLine } from "../text.ts";

/** The title is read in this time, and gone this long before the first moment. */
const titleSeconds = 2;
const clearBeforeMoment = 0.25;
/** Less than this cannot be read. */
const minTitleSeconds = 0.8;
/** After the last moment, when the banner has said what it was. */
const outcomeDelaySeconds = 0.4;
const fadeSeconds = 0.2;
const left = 24;
const top = 58;
/** Characters: the round must stand beside it. */
const maxMapNameLength = 24;
const maxReasonLines = 3;

/**
 * At the highlight's beginning, once in a clip: what it is, whose, where. Then its name alone. When it is over, why it is one: a
 * reason that counts kills would tell how it ends.
 */
export function titleLayer(stage: Stage): Layer {
  const { timeline, timeMap, unit } = stage;
  const { segment } = timeline;
  const titles = segment.captions.map((caption) => {
    const fromTick = Math.max(caption.startTick, segment.startTick);
    const from = timeMap.secondsAt(fromTick);
    return {
      from,
      titleEnd: stage.introduced.has(caption) ? titleEnd(stage, fromTick) : from,
      outcomeFrom: timeMap.secondsAt(lastTickOf(timeline, caption)) + outcomeDelaySeconds,
      to: timeMap.secondsAt(Math.min(caption.endTick, segment.endTick)),
      block: titleBlock(stage, caption),
      chip: nameChip(stage, caption),
      outcome: outcomeBlock(stage, caption),
    };
  });
  return (list, { seconds }) => {
    let y = top * unit;
    for (const { from, titleEnd, outcomeFrom, to, block, chip, outcome } of titles) {
      if (seconds < from || seconds > to) continue;
      // One after the other: two at once would be the same words twice.
      const [sprite, since, until] =
        seconds < titleEnd
          ? [block, from, titleEnd]
          : seconds < outcomeFrom
            ? [chip, titleEnd, to]
            : [outcome, outcomeFrom, to];
      const arrived = easeOut((seconds - since) / 0.35);
      const alpha = arrived * clamp((until - seconds) / fadeSeconds, 0, 1);
      put(list, sprite, left * unit - (sprite === block ? (1 - arrived) * 40 * unit : 0), y, alpha);
      y += sprite.height + 6 * unit;
    }
  };
}

/** Until when a title that begins at a tick is shown, seconds of video; its beginning when it could not be read. */
function titleEnd({ timeline, timeMap }: Stage, fromTick: number): number {
  const { kills, bomb, segment } = timeline;
  const isMoment = (tick: number) =>
    tick >= fromTick && segment.captions.some((caption) => caption.momentTicks.includes(tick));
  const moments = [...kills, ...bomb].map(({ tick }) => tick).filter(isMoment);
  const from = timeMap.secondsAt(fromTick);
  const end = Math.min(from + titleSeconds, timeMap.secondsAt(Math.min(...moments)) - clearBeforeMoment);
  return end - from < minTitleSeconds ? from : end;
}

/** When it is known how the highlight ended: at its last kill or defuse, a clutch with the round. */
function lastTickOf({ round }: SegmentTimeline, { label, momentTicks }: ClipCaption): number {
  const last = Math.max(...momentTicks);
  const isClutch = highlightTypeOf(label)?.startsWith("clutch_") ?? false;
  return isClutch && round?.finished ? Math.max(last, round.endTick) : last;
}

function titleBlock(stage: Stage, caption: ClipCaption): Sprite {
  const { shelf, timeline, names } = stage;
  const { segment, record } = timeline;
  const widest = 330;
  const label = shelf.line(headlineText(caption.label), { weight: 700, size: 36, colour: "", widest });
  const who = shelf.line(names[caption.player] ?? "", { weight: 700, size: 24, colour: "", widest: 280 });
  const map = boundedLine(cleanText(mapDisplayName(record.map)), maxMapNameLength);
  const place = `${map}  ·  Round ${segment.round}`;
  const where = shelf.line(place, { weight: 600, size: 20, colour: "", widest: 400 });
  const lines = [label, who, where];
  const key = `intro-${JSON.stringify(lines.map((line) => line.runs.map((run) => run.text)))}`;
  return panel(shelf, key, lines, 112, (context, kit) => {
    paintLine(context, kit, label, 20, 30, "#ffffff");
    paintLine(context, kit, who, 20, 62, "#ff8c98");
    paintLine(context, kit, where, 20, 90, "#b9c8d8");
  });
}

function outcomeBlock(stage: Stage, caption: ClipCaption): Sprite {
  const { shelf } = stage;
  const text = headlineText(caption.label);
  const label = shelf.line(text, { weight: 700, size: 24, colour: "", widest: 320 });
  const reason = wrapped(shelf, cleanText(caption.reason), { weight: 600, size: 20, colour: "", widest: 360 });
  const key = `outcome-${JSON.stringify([text, ...reason.map((line) => line.runs.map((run) => run.text))])}`;
  return panel(shelf, key, [label, ...reason], 44 + reason.length * 26, (context, kit) => {
    paintLine(context, kit, label, 20, 22, "#ffffff");
    for (const [i, line] of reason.entries()) paintLine(context, kit, line, 20, 50 + i * 26, "#e6edf5");
  });
}

/** A dark plate as wide as its widest line, with the accent's edge. */
function panel(shelf: SpriteShelf, key: string, lines: TextLine[], height: number, paint: Sprite["paint"]): Sprite {
  const width = Math.max(...lines.map((line) => line.width)) + 44;
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

/** A text on as many lines as it needs, up to three; the last ends with an ellipsis if need be. */
function wrapped(shelf: SpriteShelf, text: string, look: TextLook & { widest: number }): TextLine[] {
  const words = text.split(" ");
  const lines: TextLine[] = [];
  let begin = 0;
  while (begin < words.length && lines.length < maxReasonLines) {
    let end = begin + 1;
    const fits = (to: number) =>
      shelf.line(words.slice(begin, to).join(" "), { ...look, widest: 9999 }).width <= look.widest;
    const isLast = lines.length === maxReasonLines - 1;
    while (end < words.length && (isLast || fits(end + 1))) end++;
    lines.push(shelf.line(words.slice(begin, end).join(" "), look));
    begin = end;
  }
  return lines;
}

function nameChip(stage: Stage, caption: ClipCaption): Sprite {
  const { shelf } = stage;
  const text = headlineText(caption.label);
  const line = shelf.line(text, { weight: 700, size: 22, colour: "", widest: 300 });
  return shelf.sprite(`chip-${text}`, line.width + 30, 34, (context, kit) => {
    paintPanel(context, 0, 0, line.width + 30, 34, 5, "rgba(6, 10, 16, 0.75)");
    context.fillStyle = accent;
    context.fillRect(0.6, 5, 4, 24);
    paintLine(context, kit, line, 16, 17.5, "#ffffff");
  });
}
