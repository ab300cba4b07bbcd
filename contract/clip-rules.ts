/** Rules for a new clip that pages and server share: its generated name and its time adjustments (specification, section 5). */
import { highlightLabel, simpleHighlightTypes } from "./highlight-types.ts";
import { limits } from "./limits.ts";

/** What is said of a choice that makes no clip, whoever finds it. */
export const noHighlights = "Please select at least one highlight.";
export const tooManyHighlights = `A clip can show at most ${limits.highlightsPerClip} highlights.`;

/** The same of clips that make no compilation. */
export const tooFewParts = "Please choose at least two clips.";
export const tooManyParts = `A compilation can hold at most ${limits.partsOfCompilation.max} clips.`;
export const compilationTooLong = `A compilation can last at most ${limits.compilationSeconds / 60} minutes. Choose fewer clips.`;

export interface NameableHighlight {
  highlight_type: string;
  display_name: string | null;
  player_name: string;
  round_number: number;
  kills_count: number;
}

/**
 * The name a new clip gets.
 * @param map display name, else the raw map name
 * @returns "" for no highlights
 */
export function clipName(highlights: readonly NameableHighlight[], map: string): string {
  const [only] = highlights;
  if (!only) return "";
  if (highlights.length === 1) {
    return `${only.player_name} - ${map} Round ${only.round_number} - ${only.display_name || highlightLabel(only.highlight_type)}`;
  }
  const players = [...new Set(highlights.map((highlight) => highlight.player_name))];
  const rounds = highlights.map((highlight) => highlight.round_number);
  const first = Math.min(...rounds);
  const last = Math.max(...rounds);
  const who = players.length <= 2 ? players.join(" & ") : `${players[0]} & ${players.length - 1} others`;
  return `${who} - ${map} Round ${first === last ? first : `${first}-${last}`} - ${highlights.length} Highlights`;
}

export const preTimeAdjustment = 2;

/** Seconds added to the end of a clip: -1.5 when every highlight is of a simple kind or a single kill, else 0. */
export function postTimeAdjustment(
  highlights: readonly Pick<NameableHighlight, "highlight_type" | "kills_count">[],
): number {
  const short = highlights.every(
    ({ highlight_type: type, kills_count: kills }) =>
      (simpleHighlightTypes as readonly string[]).includes(type) ||
      (kills === 1 && !/^(triple_kill|quad_kill|ace|clutch_)/.test(type)),
  );
  return highlights.length > 0 && short ? -1.5 : 0;
}
