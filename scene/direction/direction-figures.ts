import type { Findings } from "./judge-clip.ts";

/** How the clips of one format are directed: counts, shares from 0 to 1. */
export interface DirectionFigures {
  /** Kills of the followed players that are shown. */
  kills: number;
  /** Kills with shooter or victim under a panel within half a second. */
  hidden: number;
  /** Clips whose headline is not their highlight's type, or that claim a clutch win that did not happen. */
  wrongHeadline: number;
  /** Clips that give away how a round ends before it is decided. */
  toldEarly: number;
  /** Clips of clutches whose win is not shown. */
  notShown: number;
  /** Clips that end or cut less than 1.2 s after the highlight's last kill. */
  cutShort: number;
  /** Share of video time in idle stretches beyond two seconds. */
  idleShare: number;
  /** Pixels, shown 390 pixels wide; null without any text. */
  smallestTextPx390: number | null;
  /** Mean share of the frame that panels cover. */
  panelShare: number;
  /** Share of players on their feet who are more than 40 units off the drawn ground. */
  offGroundShare: number;
  /** Deaths drawn below smoke. */
  belowSmoke: number;
}

/** The combined figures of clips. */
export function figuresOf(clips: readonly Findings[]): DirectionFigures {
  const sum = (measure: keyof Findings) => clips.reduce((total, findings) => total + findings[measure], 0);
  const share = (part: keyof Findings, whole: keyof Findings) => (sum(whole) > 0 ? sum(part) / sum(whole) : 0);
  const smallest = clips.reduce(
    (min, { smallestTextPx390 }) => Math.min(min, smallestTextPx390),
    Number.POSITIVE_INFINITY,
  );
  return {
    kills: sum("kills"),
    hidden: sum("hidden"),
    wrongHeadline: sum("wrongHeadline"),
    toldEarly: sum("toldEarly"),
    notShown: sum("notShown"),
    cutShort: sum("cutShort"),
    idleShare: share("idleFrames", "frames"),
    smallestTextPx390: Number.isFinite(smallest) ? smallest : null,
    panelShare: share("panelShares", "looks"),
    offGroundShare: share("offGround", "grounded"),
    belowSmoke: sum("belowSmoke"),
  };
}
