import { itemAt } from "../../replay/checked-reads.ts";
import type { PlayerIndex, RecordedBlind } from "../../replay/match-record.ts";
import type { Sprite } from "../display-list.ts";
import { clamp, easeOut } from "../easing.ts";
import { smallText } from "../layout.ts";
import { sidePalette } from "../palette.ts";
import { paintIcon, paintPanel } from "../sprite-shelf.ts";
import { type Layer, type Panel, put, type Stage } from "../stage.ts";
import { paintLine, type TextLine, writtenIn } from "../text.ts";

/** Shorter is a glimpse, of which nobody is told. */
const noticedSeconds = 0.8;
/** Blinded within this of each other by one player, they are blinded by one grenade. Seconds of play. */
const oneFlashSeconds = 0.3;
const shownSeconds = 2.2;
const fadeSeconds = 0.25;
const height = 42;

/** The ground goes white by at most this much: players, shots and panels lie above the veil and stay as they are. */
const veilStrength = 0.4;
/** Slow enough to be no flash for who does not bear flashes (WCAG 2.3.1). Seconds of video. */
const veilRiseSeconds = 0.25;
/** As the game does it: white for a while, then fading to the end. */
const fullPart = 0.35;

/** A white veil over the ground while the followed player is blind. */
export function veilLayer(stage: Stage): Layer {
  const { timeline, timeMap, width, height: frameHeight } = stage;
  const blinds = timeline.blinds
    .filter(({ victim, seconds }) => victim === timeline.segment.player && seconds >= noticedSeconds)
    .map(({ tick, seconds }) => ({ tick, seconds, begin: timeMap.secondsAt(tick) }));
  return (list, { tick, seconds }) => {
    if (!timeline.isAlive(timeline.segment.player, tick)) return;
    let white = 0;
    for (const blind of blinds) {
      const risen = clamp((seconds - blind.begin) / veilRiseSeconds, 0, 1);
      const left = 1 - (tick - blind.tick) / timeline.tickRate / blind.seconds;
      white = Math.max(white, Math.min(risen, clamp(left / (1 - fullPart), 0, 1)));
    }
    if (white <= 0.01) return;
    const alpha = veilStrength * white;
    list.push({ op: "rect", x: 0, y: 0, width, height: frameHeight, colour: "#f2f5fa", alpha });
  };
}

/** By whom the followed player is blinded, and whom they blind. */
export function flashPanel(stage: Stage): Panel {
  const { timeline, timeMap, unit } = stage;
  const { right, bottom } = stage.layout.flashes;
  const notes = flashesOf(stage).map((blinds) => ({
    from: timeMap.secondsAt(itemAt(blinds, 0).tick),
    chip: flashChip(stage, blinds),
  }));
  return (list, { seconds }) => {
    const note = notes.filter(({ from }) => seconds >= from && seconds < from + shownSeconds).at(-1);
    if (!note || !timeline.roster.includes(timeline.segment.player)) return;
    const since = seconds - note.from;
    const alpha = easeOut(since / fadeSeconds) * clamp((shownSeconds - since) / fadeSeconds, 0, 1);
    put(list, note.chip, right * unit - note.chip.width, bottom * unit - note.chip.height, alpha);
  };
}

/** What one grenade did that the followed player threw, or that blinded them. Whom they blind unseen is told with x-ray only. */
function flashesOf({ timeline, sight }: Stage): RecordedBlind[][] {
  const { player } = timeline.segment;
  const flashes: RecordedBlind[][] = [];
  for (const blind of timeline.blinds) {
    const isSuffered = blind.victim === player;
    const isDealt = sight === null && blind.attacker === player && !timeline.isTeammate(player, blind.victim);
    if (blind.seconds < noticedSeconds || !(isSuffered || isDealt)) continue;
    const running = flashes.at(-1);
    const first = running?.[0];
    const isSame =
      first !== undefined &&
      !isSuffered &&
      first.victim !== player &&
      blind.tick - first.tick <= oneFlashSeconds * timeline.tickRate;
    if (isSame) running?.push(blind);
    else flashes.push([blind]);
  }
  return flashes;
}

function flashChip(stage: Stage, blinds: readonly RecordedBlind[]): Sprite {
  const { shelf, timeline, names } = stage;
  const { player } = timeline.segment;
  const { widest } = stage.layout.flashes;
  const { attacker, victim } = itemAt(blinds, 0);
  const isSuffered = victim === player;
  const by = attacker === null || attacker === player ? "FLASHED" : "FLASHED BY";
  const verb = shelf.line(isSuffered ? by : "FLASHED", { weight: 700, size: smallText, colour: "" });
  const room = widest - verb.width - 70;
  const named = (other: PlayerIndex): { line: TextLine; colour: string } => ({
    line: shelf.line(itemAt(names, other), { weight: 700, size: smallText, colour: "", widest: room }),
    colour: sidePalette[timeline.sides[other] ?? "CT"].main,
  });
  const several = `${blinds.length} PLAYERS`;
  const who = isSuffered
    ? attacker === null || attacker === player
      ? null
      : named(attacker)
    : blinds.length === 1
      ? named(victim)
      : { line: shelf.line(several, { weight: 700, size: smallText, colour: "", widest: room }), colour: "#ffffff" };
  const width = 54 + verb.width + (who ? who.line.width + 8 : 0) + 12;
  const key = `flash-${JSON.stringify([writtenIn(verb), who && writtenIn(who.line), who?.colour])}`;
  return shelf.sprite(key, width, height, (context, kit) => {
    paintPanel(context, width, height, 8);
    paintIcon(context, kit, "sunken-eye", 28, height / 2, 28, 28, "#ffffff");
    paintLine(context, kit, verb, 52, height / 2 + 1, "#ffffff");
    if (who) paintLine(context, kit, who.line, 60 + verb.width, height / 2 + 1, who.colour);
  });
}
