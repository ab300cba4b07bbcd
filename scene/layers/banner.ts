import { itemAt } from "../../replay/checked-reads.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";
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
/** How long it takes to read a headline: the banner of a kill without one waits for it. */
const headlineSeconds = 1.5;
const victimLook = { weight: 700, size: smallText, colour: "#ff8c98", outlined: true } as const;
const widestVictim = 200;
/** Width left for the details next to the names of several victims. */
const leastDetails = 130;
const gap = 8;
const avatarSize = 38;
/** From the details' middle up to the headline's; then half the length of the line between them, and its thickness. */
const headlineRise = 58;
/** From the details' middle down to that of the circumstances. */
const circumstancesDrop = 34;
const lineHalf = 110;
const lineWidth = 3;

/** Banners and their places. */
export interface BannerPlan {
  draw: Panel;
  /** Seconds of video in which each may be seen, in their order. */
  shown: readonly { from: number; to: number }[];
  /** The place of each banner, as an index into the layout's. May be changed before frames are drawn. */
  places: number[];
  /** Frame pixels that a banner takes at a place. */
  boxOf(banner: number, place: number): Box;
}

/** At each kill and defuse of the followed player: what it is, whom it hit and how. */
export function planBanners(stage: Stage): BannerPlan {
  const { shelf, unit, names } = stage;
  const { widest, places: allPlaces } = stage.layout.banner;
  const headlineLook = { weight: 700, size: 52, colour: "#ffffff", outlined: true, widest } as const;
  const banners = toldTogether(stage).map(({ from, headline, victims, ...told }) => {
    // Several names take the whole line if there is another line for the rest.
    const areBelow = victims.length > 1 && told.circumstances.length > 0;
    const words = areBelow ? [] : told.words;
    const circumstances = areBelow ? [...told.words, ...told.circumstances] : told.circumstances;
    // The weapon always has room next to the names.
    const widestOfEach = (widest - (areBelow ? 0 : leastDetails)) / victims.length - avatarSize - 2 * gap;
    const named = victims.map((victim) => ({
      avatar: avatarSprite(stage, victim, avatarSize),
      name: shelf.text(itemAt(names, victim), { ...victimLook, widest: Math.min(widestVictim, widestOfEach) }),
    }));
    const victimsWidth = named.reduce((sum, { avatar, name }) => sum + avatar.width + name.width + 2 * gap * unit, 0);
    return {
      from,
      headline: headline === null ? null : shelf.text(headline, headlineLook),
      victims: named,
      victimsWidth,
      details: detailsOf(stage, words.map(cleanText), widest - victimsWidth / unit),
      circumstances: circumstances.length > 0 ? detailsOf(stage, circumstances.map(cleanText), widest) : null,
    };
  });
  const places = banners.map(() => 0);
  const boxOf = (banner: number, place: number): Box => {
    const shown = itemAt(banners, banner);
    const { align, x, bottom } = itemAt(allPlaces, place);
    const width = Math.max(
      shown.victimsWidth + shown.details.width,
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
      const { from, headline, victims, victimsWidth, details, circumstances } = itemAt(banners, i);
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
      let left = x - (victimsWidth + details.width) / 2;
      for (const { avatar, name } of victims) {
        put(list, avatar, left, y - avatar.height / 2, alpha);
        left += avatar.width + gap * unit;
        put(list, name, left, y - name.height / 2, alpha);
        left += name.width + gap * unit;
      }
      put(list, details, left, y - details.height / 2, alpha);
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

/** What one banner shows: a kill, a defuse, or kills whose banners would otherwise overlap. */
interface Told {
  /** Seconds of video. */
  from: number;
  headline: string | null;
  victims: PlayerIndex[];
  words: string[];
  circumstances: string[];
}

/** What is shown from when: victims of one bullet share a banner, and so do kills that wait for the same headline to be read. */
function toldTogether({ timeline, timeMap }: Stage): Told[] {
  const told: Told[] = [];
  let read = Number.NEGATIVE_INFINITY;
  for (const { tick, kill, headline, words, circumstances } of headlinedMoments(timeline)) {
    const begun = timeMap.secondsAt(tick);
    const from = headline === null ? Math.max(begun, read) : begun;
    const victims = kill ? [kill.victim] : [];
    const last = told.at(-1);
    if (last?.from === from) {
      last.headline = headline ?? last.headline;
      last.victims.push(...victims);
      last.words = [...new Set([...last.words, ...words])];
      // The damage belongs to one victim only.
      last.circumstances = last.circumstances.filter((word) => circumstances.includes(word));
    } else told.push({ from, headline, victims, words, circumstances });
    if (headline !== null) read = from + headlineSeconds;
  }
  return told;
}

/** As many of the words as fit next to each other, at least the first. */
function detailsOf({ shelf }: Stage, words: readonly string[], room: number): Sprite {
  const look: TextLook = { weight: 600, size: smallText, colour: "#e6edf5", outlined: true, widest: room };
  const joined = (count: number) => words.slice(0, count).join("  ·  ");
  let count = words.length;
  while (count > 1 && shelf.line(joined(count), { ...look, widest: 9999 }).width > room) count--;
  return shelf.text(joined(count), look);
}
