import { itemAt } from "../../replay/checked-reads.ts";
import type { Box } from "../box.ts";
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
/** A headline is read in this time: a kill of which there is nothing to say but whom it hit waits for it. */
const headlineSeconds = 1.5;
const widestVictim = 200;
const gap = 8;
const avatarSize = 38;
/** From the details' middle up to the headline's; half of the line between them, and how thick it is. */
const headlineRise = 58;
/** Down from the details' middle to that of the circumstances. */
const circumstancesDrop = 34;
const lineHalf = 110;
const lineWidth = 3;

/** Banners, and where each of them stands. */
export interface BannerPlan {
  draw: Panel;
  /** Seconds of video in which each may be seen, in their order. */
  shown: readonly { from: number; to: number }[];
  /** Of each banner the place, as an index into the layout's. May be changed before frames are drawn. */
  places: number[];
  /** Frame pixels that a banner takes at a place. */
  boxOf(banner: number, place: number): Box;
}

/** At each kill and defuse of the followed player: what it is, whom it hit and how. */
export function planBanners(stage: Stage): BannerPlan {
  const { shelf, timeline, timeMap, unit, names } = stage;
  const { widest, places: allPlaces } = stage.layout.banner;
  const headlineLook = { weight: 700, size: 52, colour: "#ffffff", outlined: true, widest } as const;
  const victimLook = { weight: 700, size: smallText, colour: "#ff8c98", outlined: true, widest: widestVictim } as const;
  const banners = headlinedMoments(timeline).map(({ tick: momentTick, kill, headline, words, circumstances }) => {
    const victim = kill ? shelf.text(itemAt(names, kill.victim), victimLook) : null;
    const avatar = kill ? avatarSprite(stage, kill.victim, avatarSize) : null;
    const room = widest - (victim ? victim.width / unit + avatarSize + 2 * gap : 0);
    return {
      from: timeMap.secondsAt(momentTick),
      headline: headline === null ? null : shelf.text(headline, headlineLook),
      victim,
      avatar,
      details: detailsOf(stage, words.map(cleanText), room),
      circumstances: circumstances.length > 0 ? detailsOf(stage, circumstances.map(cleanText), widest) : null,
    };
  });
  for (const [i, banner] of banners.entries()) {
    if (banner.headline) continue;
    const before = banners
      .slice(0, i)
      .filter(({ headline }) => headline !== null)
      .at(-1);
    if (before) banner.from = Math.max(banner.from, before.from + headlineSeconds);
  }
  const places = banners.map(() => 0);
  const victimWidthOf = ({ victim, avatar }: (typeof banners)[number]) =>
    (avatar ? avatar.width + gap * unit : 0) + (victim ? victim.width + gap * unit : 0);
  const boxOf = (banner: number, place: number): Box => {
    const shown = itemAt(banners, banner);
    const { align, x, bottom } = itemAt(allPlaces, place);
    const width = Math.max(
      victimWidthOf(shown) + shown.details.width,
      shown.circumstances?.width ?? 0,
      shown.headline?.width ?? 0,
      2 * lineHalf * unit + lineWidth * unit,
    );
    const drop = shown.circumstances ? circumstancesDrop * unit : 0;
    const height =
      drop + shown.details.height / 2 + (shown.headline ? headlineRise * unit + shown.headline.height / 2 : 0);
    const left = x * unit - (align === "left" ? 0 : align === "centre" ? width / 2 : width);
    return {
      left,
      top: bottom * unit - shown.details.height / 2 - height,
      width,
      height: height + shown.details.height / 2,
    };
  };
  const draw: Panel = (list, time) => {
    for (let i = banners.length - 1; i >= 0; i--) {
      const { from, headline, victim, avatar, details, circumstances } = itemAt(banners, i);
      const seconds = time.seconds - from;
      if (seconds < 0) continue;
      if (seconds > bannerSeconds) return;
      const alpha = clamp(seconds / 0.1, 0, 1) * clamp((bannerSeconds - seconds) / 0.35, 0, 1);
      const box = boxOf(i, itemAt(places, i));
      const x = box.left + box.width / 2;
      const y = box.top + box.height - details.height / 2 - (circumstances ? circumstancesDrop * unit : 0);
      if (headline) popped(list, headline, x, y - headlineRise * unit, seconds, alpha);
      const half = lineHalf * unit * easeOut(seconds / 0.35);
      const lineY = y - 26 * unit;
      list.push({
        op: "line",
        x0: x - half,
        y0: lineY,
        x1: x + half,
        y1: lineY,
        width: lineWidth * unit,
        colour: accent,
        alpha0: alpha,
        alpha1: alpha,
      });
      const avatarWidth = avatar ? avatar.width + gap * unit : 0;
      const victimWidth = victimWidthOf(itemAt(banners, i));
      const left = x - (victimWidth + details.width) / 2;
      if (avatar) put(list, avatar, left, y - avatar.height / 2, alpha);
      if (victim) put(list, victim, left + avatarWidth, y - victim.height / 2, alpha);
      put(list, details, left + victimWidth, y - details.height / 2, alpha);
      if (circumstances)
        put(
          list,
          circumstances,
          x - circumstances.width / 2,
          y + circumstancesDrop * unit - circumstances.height / 2,
          alpha,
        );
      return;
    }
  };
  const shown = banners.map(({ from }, i) => {
    const next = Math.min(...banners.slice(i + 1).map((later) => later.from));
    return { from, to: Math.max(from, Math.min(from + bannerSeconds, next)) };
  });
  return { draw, shown, places, boxOf };
}

/** As many of the words as stand beside each other in the room, at least the first. */
function detailsOf({ shelf }: Stage, words: readonly string[], room: number): Sprite {
  const look: TextLook = { weight: 600, size: smallText, colour: "#e6edf5", outlined: true, widest: room };
  const joined = (count: number) => words.slice(0, count).join("  ·  ");
  let count = words.length;
  while (count > 1 && shelf.line(joined(count), { ...look, widest: 9999 }).width > room) count--;
  return shelf.text(joined(count), look);
}
