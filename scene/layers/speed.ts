import { clamp } from "../easing.ts";
import { smallText } from "../layout.ts";
import { paintPanel } from "../sprite-shelf.ts";
import { type Panel, put, type Stage } from "../stage.ts";
import { paintLine } from "../text.ts";
import type { TimeMap } from "../time-map.ts";
import { clutchPill } from "./clutch-score.ts";

/** Faster than this is said: what leads to and from twice the speed, but not an end that is a little faster. */
const noticeable = 1.4;
const leastSaid = 1.75;
const fadeSeconds = 0.12;
const height = 40;

/** Below the clock, while the clip runs faster than the match did: how many times as fast. */
export function speedPanel(stage: Stage): Panel {
  const { shelf, timeMap, unit, settings, framesPerSecond } = stage;
  const { speed: place } = stage.layout;
  const pillAt = settings.highlightInfo ? clutchPill(stage) : () => null;
  const hasPill = (frame: number) =>
    pillAt({ frame, tick: timeMap.tickAt(frame), seconds: frame / framesPerSecond }) !== null;
  const chips = fastStretches(timeMap).map(({ first, last, speed }) => {
    const text = `${Math.round(speed)}×`;
    const line = shelf.line(text, { weight: 700, size: smallText, colour: "" });
    const width = line.width + 66;
    const chip = shelf.sprite(`speed-${text}`, width, height, (context, kit) => {
      paintPanel(context, width, height, 9);
      context.fillStyle = "#ffffff";
      for (const x of [14, 30]) {
        context.beginPath();
        context.moveTo(x, 10);
        context.lineTo(x + 14, 20);
        context.lineTo(x, 30);
        context.closePath();
        context.fill();
      }
      paintLine(context, kit, line, 52, 21, "#ffffff");
    });
    // Where it stays while it is shown, whatever begins or ends meanwhile.
    const frames = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const { centre, top } = frames.some(hasPill) ? place.withClutch : place;
    return { first, last, chip, left: centre * unit - chip.width / 2, top: top * unit };
  });
  const fade = fadeSeconds * timeMap.framesPerSecond;
  return (list, { frame }) => {
    for (const { first, last, chip, left, top } of chips) {
      const alpha = clamp(Math.min(frame - first, last - frame) / fade, 0, 1);
      put(list, chip, left, top, alpha);
    }
  };
}

/** Runs of frames faster than play, with the highest speed of each. */
function fastStretches(timeMap: TimeMap): { first: number; last: number; speed: number }[] {
  const stretches: { first: number; last: number; speed: number }[] = [];
  for (let frame = 0; frame < timeMap.frameCount; frame++) {
    const speed = timeMap.speedAt(frame);
    if (speed < noticeable) continue;
    const running = stretches.at(-1);
    if (running?.last === frame - 1) {
      running.last = frame;
      running.speed = Math.max(running.speed, speed);
    } else stretches.push({ first: frame, last: frame, speed });
  }
  return stretches.filter(({ speed }) => speed >= leastSaid);
}
