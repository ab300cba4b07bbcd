import { type HighlightType, highlightLabel, highlightTypes } from "../../contract/highlight-types.ts";
import type { MatchRecord } from "../../replay/match-record.ts";
import { headlineText } from "../headline-text.ts";
import type { LayerName } from "../stage.ts";
import { cleanText } from "../text.ts";
import type { DrawnClip, DrawnFrame, DrawnText } from "./drawn-clip.ts";
import type { JudgedHighlight, KnownHighlight } from "./judged-highlight.ts";
import { frameOf } from "./shown-kills.ts";

/** A headline comes within this time of video, or it is none of that moment. */
const headlineSeconds = 1.5;
/** A win that is shown shorter is missed. */
const winSeconds = 0.5;

/** Layers whose largest words say what has just happened. */
const headlining: ReadonlySet<LayerName> = new Set(["banner", "clutchScore"]);
/** Layers in which a win could be told; names and weapons elsewhere may be any words. */
const telling: ReadonlySet<LayerName> = new Set(["title", "banner", "clutchScore", "scoreboard", "endCard"]);

const winWords =
  /\b(won|wins|winner|victory|defused|exploded)\b|\bthe defuse\b|\bby the (bomb|rescue|defuse)\b|\bon time\b/i;
const killCount = /\b\d+ kills?\b/i;

const counts = ["DOUBLE KILL", "TRIPLE KILL", "QUAD KILL"];

export function isClutch(type: HighlightType): boolean {
  return type.startsWith("clutch_");
}

/** The tick at which a round is decided; never, in an unfinished one. */
function decidedTick({ rounds, bomb }: MatchRecord, roundNumber: number): number {
  const round = rounds.find(({ number }) => number === roundNumber);
  if (!round) return Number.POSITIVE_INFINITY;
  const end = round.finished ? round.endTick : Number.POSITIVE_INFINITY;
  const ofBomb = bomb
    .filter(({ kind }) => kind === "defused" || kind === "exploded")
    .filter(({ tick }) => tick >= round.startTick && tick <= round.officialEndTick)
    .map(({ tick }) => tick);
  return Math.min(end, ...ofBomb);
}

/** Whether the words at the moment that makes the highlight are others than its type; for a clutch that is the win. */
export function isWronglyHeadlined(clip: DrawnClip, highlight: JudgedHighlight, record: MatchRecord): boolean {
  const last = Math.max(...highlight.momentTicks);
  const tick = isClutch(highlight.type) ? Math.max(last, decidedTick(record, highlight.round)) : last;
  const first = frameOf(clip.moments, tick);
  if (first < 0) return true;
  const label = headlineOf(highlight.type);
  const around = clip.frames.filter(
    ({ index }) => index >= first && index <= first + headlineSeconds * clip.framesPerSecond,
  );
  const isNamed = around.some(({ texts }) =>
    texts.some(({ layer, text }) => headlining.has(layer) && isSameHeadline(text, label)),
  );
  const others = [...highlightTypes.map(headlineOf), ...counts].filter((other) => !isSameHeadline(other, label));
  const isCalledOtherwise = around.some((frame) => {
    const headline = largestText(frame, "banner");
    return headline !== null && !isSameHeadline(headline.text, label) && others.includes(headline.text);
  });
  return !isNamed || isCalledOtherwise;
}

function headlineOf(type: HighlightType): string {
  return headlineText(highlightLabel(type));
}

/** The first frame that says a clutch was won which the player followed there has not won in that round; null when none does. */
export function frameWithMadeUpClutch(clip: DrawnClip, known: readonly KnownHighlight[]): DrawnFrame | null {
  const isWon = ({ segment }: DrawnFrame, text: string) =>
    known.some(
      ({ type, round, player }) =>
        isClutch(type) &&
        round === segment.round &&
        player === segment.player &&
        isSameHeadline(text, headlineOf(type)),
    );
  const isMadeUp = (frame: DrawnFrame) =>
    frame.texts.some(({ layer, text }) => layer === "clutchScore" && /\bwon\b/i.test(text) && !isWon(frame, text));
  return clip.frames.find(isMadeUp) ?? null;
}

/** A headline may go on ("1v3 CLUTCH WON") or leave off the word "kill" ("KNIFE"). */
function isSameHeadline(text: string, label: string): boolean {
  const words = headlineText(text);
  return words === label || words.startsWith(`${label} `) || label === `${words} KILL`;
}

function largestText({ texts }: DrawnFrame, layer: LayerName): DrawnText | null {
  return texts
    .filter((text) => text.layer === layer)
    .reduce<DrawnText | null>((largest, text) => (largest && largest.size >= text.size ? largest : text), null);
}

/** The first frame that tells how the round ends before it is decided; null when none does. */
export function frameThatTellsEarly(
  clip: DrawnClip,
  highlight: JudgedHighlight,
  record: MatchRecord,
): DrawnFrame | null {
  const decided = new Map(record.rounds.map(({ number }) => [number, decidedTick(record, number)]));
  const names = new Set([...record.players, ...record.teams].map(({ name }) => cleanText(name)));
  const label = headlineOf(highlight.type);
  const reason = cleanText(highlight.reason);
  const tells = ({ layer, text }: DrawnText) => {
    if (!telling.has(layer) || names.has(text)) return false;
    if (winWords.test(headlineText(text).replace(label, ""))) return true;
    return isClutch(highlight.type) && reason.includes(text) && killCount.test(text);
  };
  return (
    clip.frames.find(({ tick, segment, texts }) => tick < (decided.get(segment.round) ?? 0) && texts.some(tells)) ??
    null
  );
}

/** Whether a clutch's win is seen and said: for half a second after the round is decided. */
export function isWinShown(clip: DrawnClip, { round }: JudgedHighlight, record: MatchRecord): boolean {
  const decided = decidedTick(record, round);
  const won = clip.frames.filter(
    ({ tick, segment, texts }) =>
      segment.round === round &&
      tick >= decided &&
      texts.some(({ layer, text }) => telling.has(layer) && /\bwon\b/i.test(text)),
  );
  return won.length * clip.secondsPerFrame >= winSeconds;
}
