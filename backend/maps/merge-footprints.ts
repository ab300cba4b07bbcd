import { int16At, itemAt, uint8At } from "../../replay/checked-reads.ts";
import { type Footprints, noPlace } from "../../replay/replay-track.ts";
import {
  type Stride,
  shareNear,
  stridesOf,
  visitCells,
  walkedCells,
  withNeighbours,
} from "../../replay/walked-space.ts";

/** A match whose walks are to be merged. */
export interface WalkedMatch {
  footprints: Footprints;
  /** Who imported it first. */
  importer: number;
}

export interface MergedWalks {
  footprints: Footprints;
  /** Indices of the matches that are of the same map and version; the others were left out. */
  merged: number[];
}

/** Side of the cells, in world units, by which matches are told to be of the same map and version. */
const versionCell = 64;
/**
 * Two matches are of one version of a map when so much of what the one walked lies near what the other walked, and at least
 * half as much the other way round: a short match walks less.
 */
const sameVersion = 0.8;
/** Side of the cells by which walks confirm each other. */
const confirmingCell = 32;
/** With so many importers more than two have to have walked somewhere: an eighth of them. */
const importersAConfirmation = 8;
/**
 * Where no more than so many import, who imported more of the matches than all others together confirms their own walks by so
 * many of them: on a small installation the others are guests. Anywhere else it would let one account draw everybody's map.
 */
const importersOfSmallInstallation = 3;
const ownMatchesAConfirmation = 3;
/**
 * A match with more footprints or more of the confirming cells is none that was played: five times what the longest of the real
 * matches in tests/fixtures has (42,754 and 11,548). All of one importer count up to four times as many cells.
 */
const mostOfMatch = { footprints: 200_000, cells: 60_000 };
const mostCellsOfImporter = 240_000;
/** Of a cell of so many world units so many footprints are kept. */
const densityCell = 16;
const mostInCell = 8;
/** Beyond it nothing is added: three times what the longest match has. */
const mostFootprints = 120_000;

/**
 * The walks of many matches of a map in one. Nobody is trusted alone, for a demo can be forged: matches that do not walk where
 * the others walk are left out whole, and of the rest strides are left out that no other player's match confirms, and names of
 * places likewise. Importers take turns, so that no number of demos of one outweighs those of the others. Decision 123.
 *
 * The same matches in the same order give the same.
 * @param matches those whose walks are to be preferred first
 */
export function mergeFootprints(matches: readonly WalkedMatch[]): MergedWalks {
  const merged = largestVersion(matches.map((match) => (isPlayed(match) ? match : null)));
  const sources = inTurns(merged, matches);
  const walks = new WalkCollector(confirmedNames(sources));
  const isConfirmed = confirmation(sources);
  const counts = new Map<number, number>();
  for (const { footprints } of sources) {
    for (const stride of stridesOf(footprints)) {
      if (walks.count >= mostFootprints) break;
      let confirmed = true;
      visitCells(footprints, stride, confirmingCell, (cell) => {
        confirmed &&= isConfirmed(cell);
      });
      if (!confirmed) continue;
      let isNew = false;
      visitCells(footprints, stride, densityCell, (cell) => {
        isNew ||= (counts.get(cell) ?? 0) < mostInCell;
      });
      if (!isNew) continue;
      visitCells(footprints, stride, densityCell, (cell) => counts.set(cell, (counts.get(cell) ?? 0) + 1));
      walks.add(footprints, stride);
    }
  }
  return { footprints: walks.footprints(), merged };
}

/** Not larger than matches are: what is done with it takes bounded time and memory. */
function isPlayed({ footprints }: WalkedMatch): boolean {
  if (footprints.xyz.length / 3 > mostOfMatch.footprints) return false;
  return walkedCells(footprints, confirmingCell, mostOfMatch.cells).size <= mostOfMatch.cells;
}

/**
 * The matches of the version that most importers play: a match with all those that walk where it walks. Of equal ones the one
 * that comes first.
 */
function largestVersion(matches: readonly (WalkedMatch | null)[]): number[] {
  const played = matches.flatMap((match, index) =>
    match ? [{ index, importer: match.importer, cells: walkedCells(match.footprints, versionCell) }] : [],
  );
  const isAlike = (a: ReadonlySet<number>, b: ReadonlySet<number>) => {
    const there = shareNear(a, b);
    const back = shareNear(b, a);
    return Math.max(there, back) >= sameVersion && Math.min(there, back) >= sameVersion / 2;
  };
  let largest: number[] = [];
  let most: [importers: number, matches: number] = [0, 0];
  for (const one of played) {
    const alike = played.filter((other) => other === one || isAlike(one.cells, other.cells));
    const importers = new Set(alike.map(({ importer }) => importer)).size;
    if (importers < most[0] || (importers === most[0] && alike.length <= most[1])) continue;
    most = [importers, alike.length];
    largest = alike.map(({ index }) => index);
  }
  return largest;
}

/** First one match of every importer, then a second one of each who has it, and so on. */
function inTurns(chosen: readonly number[], matches: readonly WalkedMatch[]): WalkedMatch[] {
  const taken = new Map<number, number>();
  return chosen
    .map((index) => {
      const match = itemAt(matches, index);
      const turn = taken.get(match.importer) ?? 0;
      taken.set(match.importer, turn + 1);
      return { match, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ match }) => match);
}

/** How many importers have to agree; one where there is nobody else. */
function importersNeeded(importers: number): number {
  return Math.min(importers, Math.max(2, Math.ceil(importers / importersAConfirmation)));
}

/** Tells of a cell whether enough importers walked in it or beside it. */
function confirmation(sources: readonly WalkedMatch[]): (cell: number) => boolean {
  const byImporter = new Map<number, Set<number>[]>();
  for (const { footprints, importer } of sources) {
    const cells = walkedCells(footprints, confirmingCell);
    byImporter.set(importer, [...(byImporter.get(importer) ?? []), cells]);
  }
  const needed = importersNeeded(byImporter.size);
  const importers = new Map<number, number>();
  const count = (counted: Map<number, number>, cells: Iterable<number>) => {
    for (const cell of cells) counted.set(cell, (counted.get(cell) ?? 0) + 1);
  };
  for (const ofOne of byImporter.values()) {
    const together = new Set<number>();
    for (const cell of ofOne.flatMap((cells) => [...cells])) {
      if (together.size < mostCellsOfImporter) together.add(cell);
    }
    count(importers, withNeighbours(together));
  }
  const isSmall = byImporter.size <= importersOfSmallInstallation;
  const leading = (isSmall && [...byImporter.values()].find((ofOne) => ofOne.length * 2 > sources.length)) || [];
  const ofLeading = new Map<number, number>();
  for (const cells of leading) count(ofLeading, withNeighbours(cells));
  return (cell) => (importers.get(cell) ?? 0) >= needed || (ofLeading.get(cell) ?? 0) >= ownMatchesAConfirmation;
}

/** The names of places that enough importers' matches have: a forged demo can hold any text. */
function confirmedNames(sources: readonly WalkedMatch[]): Set<string> {
  const importersOf = new Map<string, Set<number>>();
  for (const { footprints, importer } of sources) {
    for (const name of footprints.places?.names ?? []) {
      importersOf.set(name, (importersOf.get(name) ?? new Set()).add(importer));
    }
  }
  const needed = importersNeeded(new Set(sources.map(({ importer }) => importer)).size);
  return new Set([...importersOf].filter(([, importers]) => importers.size >= needed).map(([name]) => name));
}

/** Puts strides of many walks together to walks again. */
class WalkCollector {
  readonly #allowed: ReadonlySet<string>;
  readonly #xyz: number[] = [];
  readonly #breaks: number[] = [];
  readonly #names = new Map<string, number>();
  readonly #places: number[] = [];
  #last: { footprints: Footprints; to: number } | null = null;

  constructor(allowedNames: ReadonlySet<string>) {
    this.#allowed = allowedNames;
  }

  get count(): number {
    return this.#places.length;
  }

  add(footprints: Footprints, { from, to }: Stride): void {
    const goesOn = this.#last?.footprints === footprints && this.#last.to === from && from !== to;
    if (!goesOn) {
      this.#breaks.push(this.count);
      this.#put(footprints, from);
    }
    if (from !== to) this.#put(footprints, to);
    this.#last = { footprints, to };
  }

  #put({ xyz, places }: Footprints, i: number): void {
    this.#xyz.push(int16At(xyz, i * 3), int16At(xyz, i * 3 + 1), int16At(xyz, i * 3 + 2));
    const name = places?.names[uint8At(places.ofFootprint, i)];
    this.#places.push(name === undefined || !this.#allowed.has(name) ? noPlace : this.#indexOf(name));
  }

  #indexOf(name: string): number {
    if (!this.#names.has(name) && this.#names.size < noPlace) this.#names.set(name, this.#names.size);
    return this.#names.get(name) ?? noPlace;
  }

  footprints(): Footprints {
    const places = { names: [...this.#names.keys()], ofFootprint: Uint8Array.from(this.#places) };
    return {
      xyz: Int16Array.from(this.#xyz),
      breaks: Uint32Array.from(this.#breaks),
      ...(places.names.length > 0 && { places }),
    };
  }
}
