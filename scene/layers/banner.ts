import { itemAt } from "../../replay/checked-reads.ts";
import type { Sprite } from "../display-list.ts";
import { clamp, easeOut } from "../easing.ts";
import { smallText } from "../layout.ts";
import { headlinedMoments } from "../moment-headlines.ts";
import { accent } from "../palette.ts";
import type { TextLook } from "../sprite-shelf.ts";
import { type Panel, popped, put, type Stage } from "../stage.ts";
import { cleanText } from "../text.ts";
import { avatarSprite } from "./avatar.ts";

const bannerSeconds = 2.3;
const widestVictim = 200;
const gap = 8;
const avatarSize = 38;

/** At each kill and defuse of the followed player: what it is, whom it hit and how. */
export function bannerPanel(stage: Stage): Panel {
  const { shelf, timeline, timeMap, unit, names } = stage;
  const { middle, bottom, widest } = stage.layout.banner;
  const headlineLook = { weight: 700, size: 52, colour: "#ffffff", outlined: true, widest } as const;
  const victimLook = { weight: 700, size: smallText, colour: "#ff8c98", outlined: true, widest: widestVictim } as const;
  const banners = headlinedMoments(timeline).map(({ tick: momentTick, kill, headline, words }) => {
    const victim = kill ? shelf.text(itemAt(names, kill.victim), victimLook) : null;
    const avatar = kill ? avatarSprite(stage, kill.victim, avatarSize) : null;
    const room = widest - (victim ? victim.width / unit + avatarSize + 2 * gap : 0);
    return {
      momentSeconds: timeMap.secondsAt(momentTick),
      headline: headline === null ? null : shelf.text(headline, headlineLook),
      victim,
      avatar,
      details: detailsOf(stage, words.map(cleanText), room),
    };
  });
  return (list, time) => {
    for (let i = banners.length - 1; i >= 0; i--) {
      const { momentSeconds, headline, victim, avatar, details } = itemAt(banners, i);
      const seconds = time.seconds - momentSeconds;
      if (seconds < 0) continue;
      if (seconds > bannerSeconds) return;
      const alpha = clamp(seconds / 0.1, 0, 1) * clamp((bannerSeconds - seconds) / 0.35, 0, 1);
      const x = middle * unit;
      const y = bottom * unit - details.height / 2;
      if (headline) popped(list, headline, x, y - 58 * unit, seconds, alpha);
      const half = 110 * unit * easeOut(seconds / 0.35);
      const lineY = y - 26 * unit;
      list.push({
        op: "line",
        x0: x - half,
        y0: lineY,
        x1: x + half,
        y1: lineY,
        width: 3 * unit,
        colour: accent,
        alpha0: alpha,
        alpha1: alpha,
      });
      const avatarWidth = avatar ? avatar.width + gap * unit : 0;
      const victimWidth = avatarWidth + (victim ? victim.width + gap * unit : 0);
      const left = x - (victimWidth + details.width) / 2;
      if (avatar) put(list, avatar, left, y - avatar.height / 2, alpha);
      if (victim) put(list, victim, left + avatarWidth, y - victim.height / 2, alpha);
      put(list, details, left + victimWidth, y - details.height / 2, alpha);
      return;
    }
  };
}

/** As many of the words as stand beside each other in the room, at least the first. */
function detailsOf({ shelf }: Stage, words: readonly string[], room: number): Sprite {
  const look: TextLook = { weight: 600, size: smallText, colour: "#e6edf5", outlined: true, widest: room };
  const joined = (count: number) => words.slice(0, count).join("  ·  ");
  let count = words.length;
  while (count > 1 && shelf.line(joined(count), { ...look, widest: 9999 }).width > room) count--;
  return shelf.text(joined(count), look);
}
