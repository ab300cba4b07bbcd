import { type ClipFormat, clipFormatLabels, clipFormatNames } from "../../../contract/clip-formats.ts";
import { compilationTooLong, tooFewParts } from "../../../contract/clip-rules.ts";
import { limits } from "../../../contract/limits.ts";
import { movedTo } from "../moved-to.ts";
import { offsetFromQuery } from "../offset-from-query.ts";

/** A clip that can be part of a compilation. */
export interface ChoosableClip {
  id: number;
  name: string;
  map: string;
  /** Null of clips that are older than the measure. */
  seconds: number | null;
  thumbnailUrl: string | null;
  /** Those that are ready, its own first. */
  formats: ClipFormat[];
}

/** The name under which an address holds each chosen clip, in order. */
export const chosenField = "clip";

/** The ids that an address chooses, in order, each once, as many as a compilation holds. */
export function chosenIds(query: URLSearchParams): number[] {
  const ids = query.getAll(chosenField).map(Number);
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))].slice(0, limits.partsOfCompilation.max);
}

const path = "/clips/compile";

/** The address with these clips chosen, and its list of clips where it was. */
export function addressWith(ids: readonly number[], offset: number): string {
  const query = new URLSearchParams(ids.map((id) => [chosenField, String(id)]));
  if (offset > 0) query.set("offset", String(offset));
  return `${path}${query.size > 0 ? `?${query}` : ""}`;
}

/** What an address says. */
interface Chosen {
  ids: number[];
  offset: number;
}

/**
 * What is chosen by now: as the address says that is on its way, where that is one of the page. What is pressed next goes on from there, and
 * takes nothing back that was pressed just before.
 * @param loaded as the page was loaded
 */
export function chosenByNow(coming: { pathname: string; search: string } | undefined, loaded: Chosen): Chosen {
  if (coming?.pathname !== path) return loaded;
  const query = new URLSearchParams(coming.search);
  return { ids: chosenIds(query), offset: offsetFromQuery(query) };
}

/** @param by how many places down, below 0 up @returns as it was where there is no such place */
export function movedId(ids: readonly number[], id: number, by: number): number[] {
  const from = ids.indexOf(id);
  return from < 0 ? [...ids] : movedTo(ids, from, from + by);
}

/** The chosen clips in the order of another address, where that chooses the same ones. */
export function inOrderOf(search: string | undefined, chosen: ChoosableClip[]): ChoosableClip[] {
  const ids = search === undefined ? [] : chosenIds(new URLSearchParams(search));
  const isSame = ids.length === chosen.length && chosen.every(({ id }) => ids.includes(id));
  return isSame ? [...chosen].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) : chosen;
}

/** Why a compilation of these clips cannot be in a format, with those that lack it; empty: it can. */
export function lackingFormat(clips: readonly ChoosableClip[], format: ClipFormat): ChoosableClip[] {
  return clips.filter(({ formats }) => !formats.includes(format));
}

/** What a choice of clips would become. */
export interface CompilationPlan {
  seconds: number;
  /** That all of them have, in the order in which pages offer formats. */
  formats: ClipFormat[];
  /** Why it cannot be made, null when it can. */
  problem: string | null;
}

export function planCompilation(clips: readonly Pick<ChoosableClip, "seconds" | "formats">[]): CompilationPlan {
  const seconds = clips.reduce((sum, clip) => sum + (clip.seconds ?? 0), 0);
  const formats = clipFormatNames.filter((format) => clips.every((clip) => clip.formats.includes(format)));
  return { seconds, formats, problem: problemOf(clips, seconds, formats) };
}

function problemOf(
  clips: readonly Pick<ChoosableClip, "formats">[],
  seconds: number,
  common: readonly ClipFormat[],
): string | null {
  if (clips.length < limits.partsOfCompilation.min) return tooFewParts;
  if (common.length === 0) {
    const found = clips.map(
      ({ formats }, index) => `${index + 1}: ${formats.map((format) => clipFormatLabels[format]).join(", ")}`,
    );
    return `These clips differ in format (${found.join("; ")}). Choose clips of one format, or add it to the others on their pages.`;
  }
  return seconds > limits.compilationSeconds ? compilationTooLong : null;
}
