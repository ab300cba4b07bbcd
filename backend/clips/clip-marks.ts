import { z } from "zod";
import { highlightLabel } from "../../contract/highlight-types.ts";
import { demoLimits, limits } from "../../contract/limits.ts";
import type { ClipMark } from "../../contract/schemas/clips.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { StoredMoment } from "../storage/schema.ts";

/** What a render says of its times, `ClipMoment` of scene/clip-moments.ts. It comes from a process that reads strangers' data. */
const momentsSchema = z.array(
  z.object({
    tick: z.number().min(0).max(demoLimits.lastTick),
    seconds: z
      .number()
      .min(0)
      .max(2 * limits.clipSeconds),
    isStart: z.boolean(),
  }),
);

/** More than five highlights of real rounds ever have. */
const mostMoments = 300;
/** A highlight begins so long before its first kill at the most. */
const approachSeconds = 2.5;

/** What of a render's times is stored: rounded, bounded, nothing that is no time. */
export function storedMoments(told: unknown): StoredMoment[] {
  const parsed = momentsSchema.safeParse(Array.isArray(told) ? told.slice(0, mostMoments) : []);
  if (!parsed.success) return [];
  return parsed.data.map(({ tick, seconds, isStart }) => ({ tick, seconds: Math.round(seconds * 100) / 100, isStart }));
}

/** A part of a compilation, as far as marks go. */
export interface MarkedPart {
  /** Null until the video is made. */
  start_seconds: number | null;
  /** Null: not known. */
  highlight_ids: readonly number[] | null;
}

/**
 * Where to jump to in a clip's video: each highlight a little before its first kill, and each kill or defuse of it.
 * @param moments of the render, in its order
 * @param parts of a compilation, in their order: demos count their ticks alike, so a highlight is looked for in its own part alone
 * @returns in the video's order; nothing of what the clip does not show
 */
export function clipMarks(
  moments: readonly StoredMoment[],
  highlights: readonly Highlight[],
  parts: readonly MarkedPart[] = [],
): ClipMark[] {
  const marks = highlights.flatMap((highlight): ClipMark[] => {
    const own = momentsOfParts(moments, parts, highlight.id);
    const kills = highlight.kills.flatMap(({ tick, victim, weapon_name }): ClipMark[] => {
      const moment = own.find((known) => !known.isStart && known.tick === tick);
      if (!moment) return [];
      const isKill = victim !== null;
      return [
        {
          seconds: moment.seconds,
          kind: isKill ? "kill" : "defuse",
          label: isKill ? victim.name : "Defuse",
          detail: isKill ? weapon_name : "",
          highlight_id: highlight.id,
        },
      ];
    });
    const [first] = kills;
    if (!first) return [];
    const segmentStart = own.filter(({ isStart, seconds }) => isStart && seconds <= first.seconds).at(-1)?.seconds ?? 0;
    const partStart = partAt(parts, first.seconds)?.start_seconds ?? 0;
    const seconds = Math.max(segmentStart, partStart, first.seconds - approachSeconds);
    const label = highlight.display_name || highlightLabel(highlight.highlight_type);
    const detail = `Round ${highlight.round_number}`;
    return [{ seconds, kind: "highlight", label, detail, highlight_id: highlight.id }, ...kills];
  });
  return marks.sort((a, b) => a.seconds - b.seconds);
}

/** Moments are stored in hundredths of a second, parts begin where a frame does. */
const roundedBy = 0.005;

/** The moments of the parts that show a highlight; where none is known to, of those of which nothing is known. */
function momentsOfParts(
  moments: readonly StoredMoment[],
  parts: readonly MarkedPart[],
  highlightId: number,
): readonly StoredMoment[] {
  if (parts.length === 0) return moments;
  const isOwn = parts.some(({ highlight_ids: ids }) => ids?.includes(highlightId))
    ? (part: MarkedPart | undefined) => part?.highlight_ids?.includes(highlightId)
    : (part: MarkedPart | undefined) => part?.highlight_ids === null;
  return moments.filter(({ seconds }) => isOwn(partAt(parts, seconds)));
}

function partAt(parts: readonly MarkedPart[], seconds: number): MarkedPart | undefined {
  return parts.filter(({ start_seconds: start }) => start !== null && start <= seconds + roundedBy).at(-1);
}
