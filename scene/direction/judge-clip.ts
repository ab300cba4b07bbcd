import type { MatchRecord } from "../../replay/match-record.ts";
import type { Relief } from "../relief/build-relief.ts";
import { drawClip, type InkOf, type JudgedScene } from "./drawn-clip.ts";
import { deathsBelowSmoke } from "./drawn-deaths.ts";
import { groundedPlayers } from "./drawn-ground.ts";
import { unionArea } from "./frame-cover.ts";
import type { JudgedHighlight, KnownHighlight } from "./judged-highlight.ts";
import { isHidden, shownKills } from "./shown-kills.ts";
import { idleFrames, isCutShort } from "./shown-time.ts";
import { frameThatTellsEarly, frameWithMadeUpClutch, isClutch, isWinShown, isWronglyHeadlined } from "./told-story.ts";

/** Width of a phone, in CSS pixels, at which the smallest text is measured. */
const phoneWidth = 390;

/** Findings in clips, as sums, so that those of many clips can be added up. */
export interface Findings {
  kills: number;
  hidden: number;
  wrongHeadline: number;
  toldEarly: number;
  notShown: number;
  cutShort: number;
  belowSmoke: number;
  /** Frames of video, without the end card. */
  frames: number;
  idleFrames: number;
  /** Font pixels when the clip is shown 390 pixels wide; infinite without text. */
  smallestTextPx390: number;
  /** Frames examined; then the sum of the shares of each that panels cover. */
  looks: number;
  panelShares: number;
  /** Players on their feet in those frames. */
  grounded: number;
  offGround: number;
}

/** A fault and when it is first seen. */
export interface Fault {
  measure: "hidden" | "wrongHeadline" | "toldEarly" | "notShown" | "cutShort" | "belowSmoke";
  /** Of the video. */
  seconds: number;
}

export interface ClipJudgement {
  findings: Findings;
  faults: Fault[];
}

/**
 * Judges a clip of one highlight by what its scene draws. `frame` is in pixels; `relief` is the scene's own; `known` are all
 * highlights of the match.
 */
export function judgeClip(
  scene: JudgedScene,
  highlight: JudgedHighlight,
  {
    record,
    relief,
    frame,
    inkOf,
    known,
  }: {
    record: MatchRecord;
    relief: Relief;
    frame: { width: number; height: number };
    inkOf: InkOf;
    known: readonly KnownHighlight[];
  },
): ClipJudgement {
  const clip = drawClip(scene, frame, inkOf);
  const faults: Fault[] = [];
  const blame = (measure: Fault["measure"], index: number) =>
    faults.push({ measure, seconds: index / clip.framesPerSecond });

  const kills = shownKills(clip, record);
  for (const kill of kills) if (isHidden(kill, clip)) blame("hidden", kill.frame);
  const end = clip.moments.length;
  const madeUp = frameWithMadeUpClutch(clip, known);
  if (madeUp) blame("wrongHeadline", madeUp.index);
  else if (isWronglyHeadlined(clip, highlight, record)) blame("wrongHeadline", end);
  const early = frameThatTellsEarly(clip, highlight, record);
  if (early) blame("toldEarly", early.index);
  if (isClutch(highlight.type) && !isWinShown(clip, highlight, record)) blame("notShown", end);
  if (isCutShort(clip, highlight)) blame("cutShort", end);
  for (const { index } of deathsBelowSmoke(clip).values()) blame("belowSmoke", index);

  const count = (measure: Fault["measure"]) => faults.filter((fault) => fault.measure === measure).length;
  const sizes = clip.frames.flatMap(({ texts }) => texts.map(({ size }) => size));
  const smallest = sizes.reduce((min, size) => Math.min(min, size), Number.POSITIVE_INFINITY);
  const frameArea = frame.width * frame.height;
  return {
    faults,
    findings: {
      kills: kills.length,
      hidden: count("hidden"),
      wrongHeadline: count("wrongHeadline"),
      toldEarly: count("toldEarly"),
      notShown: count("notShown"),
      cutShort: count("cutShort"),
      belowSmoke: count("belowSmoke"),
      frames: end,
      idleFrames: idleFrames(clip, record),
      smallestTextPx390: (smallest * phoneWidth) / frame.width,
      looks: clip.frames.length,
      panelShares: clip.frames.reduce((sum, { panels }) => sum + unionArea(panels, frame) / frameArea, 0),
      ...groundedPlayers(clip, relief, record.tickRate),
    },
  };
}
