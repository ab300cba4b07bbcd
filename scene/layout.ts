import type { ClipRenderSettings } from "../replay/clip-spec.ts";
import type { Box } from "./box.ts";

/** Panels around a wide picture, or above and below a tall one. */
export type Composition = "landscape" | "vertical";

/**
 * Where everything is drawn over the picture, and where nobody who matters may be covered. Lengths are in units; a frame has
 * 1280 × 720 or 900 × 1600 of them, and a phone held upright shows both 390 of its pixels wide.
 */
export interface Layout {
  composition: Composition;
  /** Frame pixels. */
  width: number;
  height: number;
  /** Frame pixels per unit. */
  unit: number;
  /** Where in the frame the camera puts what it follows, as fractions. */
  anchor: { x: number; y: number };
  /** Players who matter are inside it, and outside `controls`. */
  field: Box;
  /** Where phone apps draw their own controls over a video. */
  controls: readonly Box[];
  /** `widestName` is 0 if team names have no room. */
  scoreboard: { middle: number; top: number; widestName: number };
  strips: StripLayout;
  /** Below the clock, or beside or below the clutch's score if that is there. */
  speed: { centre: number; top: number; withClutch: { centre: number; top: number } };
  killFeed: { right: number; top: number; widest: number };
  radar: { left: number; bottom: number; width: number; height: number };
  playerPanel: { right: number; bottom: number; width: number };
  watermark: { right: number; bottom: number };
  /** Above the player's panel. */
  flashes: { right: number; bottom: number; widest: number };
  /** Titles are stacked, below the feed if that needs their place; if one has no room, another leaves. */
  titles: { left: number; top: number; bottom: number; widest: number };
  clutchScore: { middle: number; top: number };
  /** Places for a banner, the preferred one first. */
  banner: { widest: number; places: readonly [BannerPlace, ...BannerPlace[]] };
  /** Centred, over the whole frame. */
  endCard: { middle: number; centre: number; widest: number };
}

export interface BannerPlace {
  /** The part of the banner that is at `x`. */
  align: "left" | "centre" | "right";
  x: number;
  bottom: number;
}

/** Players' cards, from the middle to both sides. */
export interface StripLayout {
  middle: number;
  top: number;
  /** Distance from the middle to the first card, then between two cards. */
  inner: number;
  gap: number;
  card: {
    width: number;
    /** Width with only a picture: for unseen players, and for the one who has a panel. */
    closedWidth: number;
    height: number;
    padding: number;
    avatar: number;
    weaponHeight: number;
    itemsTop: number;
    items: number;
    bar: number;
  };
}

/** The smallest text used: at least 9 of a phone's 390 pixels. */
export const smallText = 30;

/** Font size, in units rounded to tenths, that is 9 pixels when the frame is shown 390 wide. Smaller words are illegible on a phone. */
export function smallestOnPhones({ width, unit }: Layout): number {
  return Math.ceil((90 * width) / unit / 390) / 10;
}

/**
 * Distance kept free above the camera's anchor: the camera can avoid panels only if the anchor itself is free. Room for the
 * followed player's token, the name above it, and some movement in a fight.
 */
const aboveAnchor = 70;

/** Half the width of score and clock, without names. */
export const scoreboardHalf = 118;

const landscapeCard = {
  width: 84,
  closedWidth: 36,
  height: 54,
  padding: 4,
  avatar: 28,
  weaponHeight: 20,
  itemsTop: 33,
  items: 14,
  bar: 4,
};
const verticalCard = {
  width: 78,
  closedWidth: 46,
  height: 66,
  padding: 5,
  avatar: 32,
  weaponHeight: 22,
  itemsTop: 40,
  items: 16,
  bar: 5,
};

const landscape = { width: 1280, height: 720 };
const vertical = { width: 900, height: 1600 };

/** Frame pixels per unit, for a frame size in pixels. */
export function unitOf({ width, height }: { width: number; height: number }): number {
  return height > width ? width / vertical.width : height / landscape.height;
}

/** The layout for a frame size in pixels, with the panels that the settings leave. */
export function layoutOf(width: number, height: number, settings: ClipRenderSettings): Layout {
  return height > width ? verticalLayout(width, height, settings) : landscapeLayout(width, height, settings);
}

function landscapeLayout(width: number, height: number, { hud, radar, watermark }: ClipRenderSettings): Layout {
  const unit = unitOf({ width, height });
  const right = width / unit;
  const middle = right / 2;
  const edge = 20;
  const bottom = landscape.height - edge;
  const panelWidth = 344;
  const aboveWatermark = bottom - (watermark ? 150 : 94);
  const belowScore = 12 + landscapeCard.height + 8;
  return {
    composition: "landscape",
    width,
    height,
    unit,
    anchor: { x: 0.5, y: 0.46 },
    field: { left: 44, top: 44, width: right - 88, height: landscape.height - 88 },
    controls: [],
    scoreboard: { middle, top: 12, widestName: 0 },
    strips: { middle, top: 12, inner: scoreboardHalf + 6, gap: 4, card: landscapeCard },
    speed: { centre: middle, top: belowScore, withClutch: { centre: middle, top: belowScore + 48 } },
    killFeed: { right: right - edge, top: hud ? belowScore : 16, widest: 452 },
    radar: { left: edge, bottom, width: 192, height: 160 },
    playerPanel: { right: right - edge, bottom, width: panelWidth },
    watermark: { right: right - edge, bottom: bottom - (hud ? 96 : 0) },
    flashes: { right: right - edge, bottom: aboveWatermark, widest: 440 },
    titles: {
      left: edge,
      top: hud ? belowScore : edge,
      bottom: landscape.height - (radar ? 230 : edge),
      widest: 460,
    },
    clutchScore: { middle, top: hud ? belowScore : edge },
    banner: {
      widest: 2 * (middle - edge - panelWidth - 16),
      places: [
        { align: "centre", x: middle, bottom },
        { align: "left", x: edge + (radar ? 192 + 16 : 0), bottom },
        { align: "right", x: right - edge - (hud ? panelWidth + 16 : 0), bottom },
        { align: "right", x: right - edge, bottom: bottom - (hud ? 152 : 100) },
      ],
    },
    endCard: { middle, centre: landscape.height / 2, widest: 0.72 * right },
  };
}

function verticalLayout(width: number, height: number, { hud, radar, watermark }: ClipRenderSettings): Layout {
  const unit = unitOf({ width, height });
  const bottomEdge = height / unit;
  const middle = vertical.width / 2;
  const edge = 40;
  /** To the right of this, in the lower half, are the apps' buttons; below are a caption and the player's bar, above are tabs. */
  const buttons = 780;
  const bottom = 0.85 * bottomEdge;
  const aboveWatermark = bottom - (watermark ? 150 : 94);
  const top = 0.075 * bottomEdge;
  const belowBoard = top + 60;
  const aboveRadar = bottom - (radar ? 226 : hud ? 100 : 0);
  const belowScore = hud ? belowBoard + verticalCard.height + 8 : top;
  const anchor = { x: 0.48, y: 0.43 };
  return {
    composition: "vertical",
    width,
    height,
    unit,
    anchor,
    field: { left: edge, top, width: vertical.width - 2 * edge, height: bottom - top },
    controls: [{ left: buttons, top: 0.45 * bottomEdge, width: vertical.width - buttons, height: 0.55 * bottomEdge }],
    scoreboard: { middle, top, widestName: 264 },
    strips: { middle, top: belowBoard, inner: 2, gap: 4, card: verticalCard },
    speed: { centre: middle, top: belowScore, withClutch: { centre: 220, top: belowScore } },
    killFeed: { right: vertical.width - edge, top: belowScore + 56, widest: vertical.width - 2 * edge },
    radar: { left: edge, bottom, width: 236, height: 210 },
    playerPanel: { right: buttons - 10, bottom, width: 450 },
    watermark: { right: buttons - 10, bottom: bottom - (hud ? 96 : 0) },
    flashes: { right: buttons - 10, bottom: aboveWatermark, widest: 490 },
    titles: { left: edge, top: belowScore + 56, bottom: anchor.y * bottomEdge - aboveAnchor, widest: 420 },
    clutchScore: { middle, top: belowScore },
    banner: {
      widest: 640,
      places: [
        { align: "centre", x: middle, bottom: aboveRadar },
        { align: "left", x: edge, bottom: aboveRadar },
        { align: "right", x: buttons - 10, bottom: aboveRadar },
        { align: "centre", x: middle, bottom: aboveRadar - 140 },
      ],
    },
    endCard: { middle, centre: 0.42 * bottomEdge, widest: 2 * (buttons - middle) },
  };
}
