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
  /** Null for clips from before the length was measured. */
  seconds: number | null;
  thumbnailUrl: string | null;
  /** The finished formats, the clip's own first. */
  formats: ClipFormat[];
}

/** The query parameter of each chosen clip, in order. */
export const chosenField = "clip";

/** The ids that an address chooses, in order, each once, at most as many as a compilation can have. */
export function chosenIds(query: URLSearchParams): number[] {
  const ids = query.getAll(chosenField).map(Number);
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))].slice(0, limits.partsOfCompilation.max);
}

const path = "/clips/compile";

/** The address with these clips chosen and the list of clips at this offset. */
export function addressWith(ids: readonly number[], offset: number): string {
  const query = new URLSearchParams(ids.map((id) => [chosenField, String(id)]));
  if (offset > 0) query.set("offset", String(offset));
  return `${path}${query.size > 0 ? `?${query}` : ""}`;
}

/** The contents of an address. */
interface Chosen {
  ids: number[];
  offset: number;
}

/**
 * The current choice: that of the address to which the page is navigating, if that is an address of this page. So the next click builds
 * on the last one instead of undoing it.
 * @param loaded as the page was loaded
 */
export function chosenByNow(coming: { pathname: string; search: string } | undefined, loaded: Chosen): Chosen {
  if (coming?.pathname !== path) return loaded;
  const query = new URLSearchParams(coming.search);
  return { ids: chosenIds(query), offset: offsetFromQuery(query) };
}

/** @param by how many places down; negative is up @returns the same order if there is no such place */
export function movedId(ids: readonly number[], id: number, by: number): number[] {
  const from = ids.indexOf(id);
  return from < 0 ? [...ids] : movedTo(ids, from, from + by);
}

/** The chosen clips in the order of another address, if that chooses the same ones. */
export function inOrderOf(search: string | undefined, chosen: ChoosableClip[]): ChoosableClip[] {
  const ids = search === undefined ? [] : chosenIds(new URLSearchParams(search));
  const isSame = ids.length === chosen.length && chosen.every(({ id }) => ids.includes(id));
  return isSame ? [...chosen].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) : chosen;
}

/** The clips that lack a format, so that a compilation cannot be made in it; empty if it can. */
export function lackingFormat(clips: readonly ChoosableClip[], format: ClipFormat): ChoosableClip[] {
  return clips.filter(({ formats }) => !formats.includes(format));
}

/** What a choice of clips would become. */
export interface CompilationPlan {
  seconds: number;
  /** The formats that all of them have, in the order in which pages offer formats. */
  formats: ClipFormat[];
  /** Why it cannot be made; null if it can. */
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
