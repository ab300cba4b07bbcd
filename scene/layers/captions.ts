import { boundedLine } from "../../contract/clean-text.ts";
import { mapDisplayName } from "../../contract/maps.ts";
import { itemAt } from "../../replay/checked-reads.ts";
import type { ClipCaption } from "../../replay/clip-spec.ts";
import type { RecordedKill } from "../../replay/match-record.ts";
import type { DisplayList, Sprite } from "../display-list.ts";
import { clamp, easeOut, mix, overshoot } from "../easing.ts";
import { weaponLook } from "../icons/weapon-icons.ts";
import { accent, healthColours } from "../palette.ts";
import { paintPanel, type SpriteShelf, type TextLook } from "../sprite-shelf.ts";
import { type Layer, put, putCentred, type Stage } from "../stage.ts";
import { cleanText, paintLine, type TextLine } from "../text.ts";

const introSeconds = 4.2;
const bannerSeconds = 2.3;
/** Middle of the banner's lower line, from the frame's lower edge: just above the player's panel. */
const bannerBottom = 118;
const left = 24;
const introTop = 58;
/** Characters: the round must stand beside it. */
const maxMapNameLength = 24;
const multiKills = ["", "", "DOUBLE KILL", "TRIPLE KILL", "QUAD KILL", "ACE"];

/** Everything that names what is seen: the opening caption, banners at the player's kills, the clutch's score. */
export function captionLayer(stage: Stage): Layer {
  const layers = [introLayer(stage), bannerLayer(stage), clutchLayer(stage)];
  return (list, moment) => {
    for (const layer of layers) layer(list, moment);
  };
}

/** Highlight, player, map, round and reason; after a few seconds only the highlight's name stays. */
function introLayer(stage: Stage): Layer {
  const { timeline, unit } = stage;
  const { segment, tickRate } = timeline;
  const intros = segment.captions.map((caption) => ({
    caption,
    from: Math.max(caption.startTick, segment.startTick),
    block: introBlock(stage, caption),
    chip: introChip(stage, caption),
  }));
  return (list, { tick }) => {
    let y = introTop * unit;
    for (const { caption, from, block, chip } of intros) {
      if (tick < from || tick > caption.endTick) continue;
      const seconds = (tick - from) / tickRate;
      const leaving = clamp((seconds - introSeconds) / 0.4, 0, 1);
      if (leaving < 1) {
        const arrived = easeOut(seconds / 0.45);
        put(list, block, left * unit - (1 - arrived) * 40 * unit, y, arrived * (1 - leaving));
      }
      if (leaving > 0) {
        const ending = clamp((caption.endTick - tick) / (0.4 * tickRate), 0, 1);
        put(list, chip, left * unit, y, leaving * ending);
      }
      y += (leaving < 1 ? mix(block.height, chip.height, leaving) : chip.height) + 6 * unit;
    }
  };
}

function introBlock(stage: Stage, caption: ClipCaption): Sprite {
  const { shelf, timeline, names } = stage;
  const { segment, record } = timeline;
  const widest = 330;
  const label = shelf.line(headlineText(caption.label), { weight: 700, size: 36, colour: "", widest });
  const who = shelf.line(names[caption.player] ?? "", { weight: 700, size: 21, colour: "", widest: 240 });
  const map = boundedLine(cleanText(mapDisplayName(record.map)), maxMapNameLength);
  const place = `${map}  ·  Round ${segment.round}`;
  const where = shelf.line(place, { weight: 600, size: 17, colour: "", widest });
  const reason = wrapped(shelf, cleanText(caption.reason), { weight: 500, size: 17, colour: "", widest });
  const width = Math.max(...[label, who, where, ...reason].map((line) => line.width)) + 44;
  const height = 106 + reason.length * 22;
  const key = `intro-${JSON.stringify([label, who, where, ...reason].map((line) => line.runs.map((run) => run.text)))}`;
  return shelf.sprite(key, width, height, (context, kit) => {
    const fade = context.createLinearGradient(0, 0, width, 0);
    fade.addColorStop(0, "rgba(6, 10, 16, 0.88)");
    fade.addColorStop(0.7, "rgba(6, 10, 16, 0.78)");
    fade.addColorStop(1, "rgba(6, 10, 16, 0.3)");
    context.fillStyle = fade;
    context.beginPath();
    context.roundRect(0, 0, width, height, 8);
    context.fill();
    context.fillStyle = accent;
    context.beginPath();
    context.roundRect(0, 0, 5, height, [8, 0, 0, 8]);
    context.fill();
    paintLine(context, kit, label, 20, 28, "#ffffff");
    paintLine(context, kit, who, 20, 58, "#ff8c98");
    paintLine(context, kit, where, 20, 82, "#b9c8d8");
    for (const [i, line] of reason.entries()) paintLine(context, kit, line, 20, 106 + i * 22, "#e6edf5");
  });
}

/** A text on one line, or on two when it is too long for one; the second ends with an ellipsis if need be. */
function wrapped(shelf: SpriteShelf, text: string, look: TextLook & { widest: number }): TextLine[] {
  const words = text.split(" ");
  let fits = 0;
  while (
    fits < words.length &&
    shelf.line(words.slice(0, fits + 1).join(" "), { ...look, widest: 9999 }).width <= look.widest
  ) {
    fits++;
  }
  if (fits === words.length || fits === 0) return [shelf.line(text, look)];
  return [shelf.line(words.slice(0, fits).join(" "), look), shelf.line(words.slice(fits).join(" "), look)];
}

function introChip(stage: Stage, caption: ClipCaption): Sprite {
  const { shelf } = stage;
  const text = headlineText(caption.label);
  const line = shelf.line(text, { weight: 700, size: 19, colour: "", widest: 260 });
  return shelf.sprite(`chip-${text}`, line.width + 30, 30, (context, kit) => {
    paintPanel(context, 0, 0, line.width + 30, 30, 5, "rgba(6, 10, 16, 0.75)");
    context.fillStyle = accent;
    context.fillRect(0.6, 5, 4, 20);
    paintLine(context, kit, line, 16, 15.5, "#ffffff");
  });
}

/** In capitals, but for the v of 1v3. */
function headlineText(label: string): string {
  return cleanText(label)
    .toUpperCase()
    .replace(/(\d)V(\d)/g, "$1v$2");
}

/** What is remarkable about a kill, in words. */
function killFlags(kill: RecordedKill): string[] {
  const flags: string[] = [];
  if (/knife|bayonet/.test(kill.weapon)) flags.push("KNIFE");
  if (kill.weapon === "taser") flags.push("ZEUS");
  if (kill.weapon === "inferno") flags.push("BURNED");
  if (/grenade$/.test(kill.weapon)) flags.push("GRENADE");
  if (kill.noScope) flags.push("NO SCOPE");
  if (kill.penetrated > 0) flags.push("WALLBANG");
  if (kill.throughSmoke) flags.push("THROUGH SMOKE");
  if (kill.attackerInAir) flags.push("MIDAIR");
  if (kill.attackerBlind) flags.push("BLIND");
  if (kill.headshot) flags.push("HEADSHOT");
  return flags;
}

/** At each kill of the followed player: how many it makes, and how they did it. */
function bannerLayer(stage: Stage): Layer {
  const { shelf, timeline, unit, names } = stage;
  const { segment, tickRate } = timeline;
  const own = timeline.kills.filter(
    (kill) => kill.attacker === segment.player && !timeline.isTeammate(kill.attacker, kill.victim),
  );
  const banners = own.map((kill, i) => {
    const flags = killFlags(kill);
    const count = i + 1;
    const isFirstOfRound = timeline.kills[0] === kill;
    const special = flags.find((flag) => flag !== "HEADSHOT");
    const headline =
      count >= 2 ? (multiKills[Math.min(count, 5)] ?? "") : (special ?? (isFirstOfRound ? "FIRST BLOOD" : ""));
    const details = [weaponLook(kill.weapon).name, ...flags.filter((flag) => flag !== headline)].join("  ·  ");
    return {
      kill,
      headline:
        headline === "" ? null : shelf.text(headline, { weight: 700, size: 44, colour: "#ffffff", outlined: true }),
      victim: shelf.text(itemAt(names, kill.victim), {
        weight: 700,
        size: 20,
        colour: "#ff8c98",
        outlined: true,
        widest: 220,
      }),
      details: shelf.text(details, { weight: 600, size: 18, colour: "#e6edf5", outlined: true, widest: 380 }),
    };
  });
  return (list, { tick }) => {
    for (let i = banners.length - 1; i >= 0; i--) {
      const { kill, headline, victim, details } = banners[i]!;
      const seconds = (tick - kill.tick) / tickRate;
      if (seconds < 0) continue;
      if (seconds > bannerSeconds) return;
      const alpha = clamp(seconds / 0.1, 0, 1) * clamp((bannerSeconds - seconds) / 0.35, 0, 1);
      const x = stage.width / 2;
      const y = stage.height - bannerBottom * unit;
      if (headline) popped(list, headline, x, y - 46 * unit, seconds, alpha);
      const half = 100 * unit * easeOut(seconds / 0.35);
      const lineY = y - 20 * unit;
      list.push({
        op: "line",
        x0: x - half,
        y0: lineY,
        x1: x + half,
        y1: lineY,
        width: 2.4 * unit,
        colour: accent,
        alpha0: alpha,
        alpha1: alpha,
      });
      const gap = 6 * unit;
      const left = x - (victim.width + gap + details.width) / 2;
      put(list, victim, left, y - victim.height / 2, alpha);
      put(list, details, left + victim.width + gap, y - details.height / 2, alpha);
      return;
    }
  };
}

/** Comes in large and settles at its own size. */
function popped(list: DisplayList, sprite: Sprite, x: number, y: number, seconds: number, alpha: number): void {
  const scale = mix(1.45, 1, overshoot(seconds / 0.32));
  if (Math.abs(scale - 1) < 0.004 || seconds > 0.32) putCentred(list, sprite, x, y, alpha);
  else list.push({ op: "scaled", sprite, x, y, width: sprite.width * scale, height: sprite.height * scale, alpha });
}

/** While the followed player is the last of their team: one against how many. */
function clutchLayer(stage: Stage): Layer {
  const { shelf, timeline, unit } = stage;
  const { segment, round, tickRate, roster } = timeline;
  const mates = roster.filter((player) => timeline.isTeammate(player, segment.player) && player !== segment.player);
  const opponents = roster.filter((player) => !timeline.isTeammate(player, segment.player));
  if (mates.length === 0 || opponents.length === 0) return () => {};
  const aloneFrom = Math.max(...mates.map((player) => timeline.deathTick(player)));
  const atStart = opponents.filter((player) => timeline.deathTick(player) > aloneFrom).length;
  if (!Number.isFinite(aloneFrom) || atStart === 0 || timeline.deathTick(segment.player) < aloneFrom) return () => {};
  const team = timeline.record.players[segment.player]!.team;
  const hasWon = round?.finished === true && round.winner === team;
  const wonTick = round?.endTick ?? Number.POSITIVE_INFINITY;
  const changes = [
    aloneFrom,
    ...opponents.map((player) => timeline.deathTick(player)).filter((tick) => tick > aloneFrom),
  ].sort((a, b) => a - b);
  const pill = (text: string, colour: string) => {
    const line = shelf.line(text, { weight: 700, size: 20, colour: "" });
    const width = line.width + 36;
    return shelf.sprite(`clutch-${text}`, width, 32, (context, kit) => {
      paintPanel(context, 0, 0, width, 32, 16, "rgba(8, 13, 21, 0.86)", colour);
      paintLine(context, kit, line, 18, 16.5, colour);
    });
  };
  return (list, { tick }) => {
    if (tick < aloneFrom || tick >= timeline.deathTick(segment.player)) return;
    const left = opponents.filter((player) => timeline.isAlive(player, tick)).length;
    const isWon = hasWon && (tick >= wonTick || left === 0);
    if (left === 0 && !isWon) return;
    const sprite =
      isWon && atStart >= 2
        ? pill(`1v${atStart} CLUTCH WON`, healthColours.good)
        : isWon
          ? null
          : pill(`1 v ${left}`, "#ffffff");
    if (!sprite) return;
    const changed = isWon
      ? Math.min(wonTick, changes[changes.length - 1]!)
      : (changes.filter((change) => change <= tick).pop() ?? aloneFrom);
    popped(list, sprite, stage.width / 2, 92 * unit, (tick - changed) / tickRate, 1);
  };
}
