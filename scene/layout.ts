import type { ClipRenderSettings } from "../replay/clip-spec.ts";
import type { Box } from "./box.ts";

/** Panels around a wide picture, or above and below a tall one. */
export type Composition = "landscape" | "vertical";

/**
 * Where everything stands that is drawn over the picture, and where nobody who matters may be covered. Lengths are in units, of
 * which a frame is 1280 × 720 or 900 × 1600: a phone held upright shows both 390 of its pixels wide.
 */
export interface Layout {
  composition: Composition;
  /** Frame pixels. */
  width: number;
  height: number;
  /** Frame pixels in a unit. */
  unit: number;
  /** Where the camera puts what it follows, as parts of the frame. */
  anchor: { x: number; y: number };
  /** Whoever matters stands inside of it, and not in `controls`. */
  field: Box;
  /** Where the apps of phones draw their own controls over a video. */
  controls: readonly Box[];
  scoreboard: { middle: number; top: number; hasTeamNames: boolean };
  /** Beside the clock. */
  speed: { right: number; top: number };
  killFeed: { right: number; top: number; widest: number };
  radar: { left: number; bottom: number; width: number; height: number };
  playerPanel: { right: number; bottom: number; width: number };
  brand: { left: number; top: number };
  watermark: { right: number; bottom: number };
  /** Above the player's panel. */
  flashes: { right: number; bottom: number; widest: number };
  /** Titles stand one below the other, as many as fit. */
  titles: { left: number; top: number; bottom: number; widest: number };
  clutchScore: { middle: number; top: number };
  banner: { middle: number; bottom: number; widest: number };
  /** Around its middle, over the whole frame. */
  endCard: { middle: number; centre: number; widest: number };
}

/** The smallest text there is: at least 9 of a phone's 390 pixels. */
export const smallText = 30;

const landscape = { width: 1280, height: 720 };
const vertical = { width: 900, height: 1600 };

/** Frame pixels in a unit, for a frame size in pixels. */
export function unitOf({ width, height }: { width: number; height: number }): number {
  return height > width ? width / vertical.width : height / landscape.height;
}

/** The layout of a frame size in pixels with what the settings leave of the panels. */
export function layoutOf(width: number, height: number, settings: ClipRenderSettings): Layout {
  return height > width ? verticalLayout(width, height, settings) : landscapeLayout(width, height, settings);
}

function landscapeLayout(width: number, height: number, { hud, radar }: ClipRenderSettings): Layout {
  const unit = unitOf({ width, height });
  const right = width / unit;
  const middle = right / 2;
  const edge = 20;
  const bottom = landscape.height - edge;
  const panelWidth = 360;
  return {
    composition: "landscape",
    width,
    height,
    unit,
    anchor: { x: 0.5, y: 0.46 },
    field: { left: 44, top: 44, width: right - 88, height: landscape.height - 88 },
    controls: [],
    scoreboard: { middle, top: 12, hasTeamNames: false },
    speed: { right: middle - 212, top: 16 },
    killFeed: { right: right - edge, top: 16, widest: 392 },
    radar: { left: edge, bottom, width: 192, height: 160 },
    playerPanel: { right: right - edge, bottom, width: panelWidth },
    brand: { left: edge, top: 16 },
    watermark: { right: right - edge, bottom: bottom - (hud ? 96 : 0) },
    flashes: { right: right - edge, bottom: bottom - 94, widest: panelWidth },
    titles: {
      left: edge,
      top: hud ? 66 : edge,
      bottom: landscape.height - (radar ? 230 : edge),
      widest: 460,
    },
    clutchScore: { middle, top: hud ? 74 : edge },
    banner: { middle, bottom, widest: 2 * (middle - edge - panelWidth - 16) },
    endCard: { middle, centre: landscape.height / 2, widest: 0.72 * right },
  };
}

function verticalLayout(width: number, height: number, { hud, radar }: ClipRenderSettings): Layout {
  const unit = unitOf({ width, height });
  const bottomEdge = height / unit;
  const middle = vertical.width / 2;
  const edge = 40;
  /** Right of it, in the lower half, are the apps' buttons; below, a caption and the player's bar; above, tabs. */
  const buttons = 780;
  const bottom = 0.85 * bottomEdge;
  const top = 0.075 * bottomEdge;
  const belowScore = top + (hud ? 100 : 0);
  return {
    composition: "vertical",
    width,
    height,
    unit,
    anchor: { x: 0.48, y: 0.4 },
    field: { left: edge, top, width: vertical.width - 2 * edge, height: bottom - top },
    controls: [{ left: buttons, top: 0.45 * bottomEdge, width: vertical.width - buttons, height: 0.55 * bottomEdge }],
    scoreboard: { middle, top, hasTeamNames: true },
    speed: { right: middle - 212, top: top + 6 },
    killFeed: { right: vertical.width - edge, top: belowScore + 56, widest: 400 },
    radar: { left: edge, bottom, width: 236, height: 210 },
    playerPanel: { right: buttons - 10, bottom, width: 450 },
    brand: { left: edge, top: top - 50 },
    watermark: { right: buttons - 10, bottom: bottom - (hud ? 96 : 0) },
    flashes: { right: buttons - 10, bottom: bottom - 94, widest: 450 },
    titles: { left: edge, top: belowScore + 56, bottom: 0.5 * bottomEdge, widest: 420 },
    clutchScore: { middle, top: belowScore },
    banner: { middle, bottom: bottom - (radar ? 226 : hud ? 100 : 0), widest: 640 },
    endCard: { middle, centre: 0.42 * bottomEdge, widest: 2 * (buttons - middle) },
  };
}
