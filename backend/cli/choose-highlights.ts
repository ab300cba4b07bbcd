import { cleanPlayerName } from "../../contract/clean-text.ts";
import { distinctMoments } from "../highlights/distinct-moments.ts";
import type { DemoFacts } from "../matches/demo-facts.ts";
import type { DemoPlayer, HighlightRow } from "../storage/schema.ts";
import { CliError } from "./cli-error.ts";
import type { WantedHighlights } from "./read-arguments.ts";
import type { ReadDemo } from "./read-demo.ts";

type ChosenFrom = Pick<ReadDemo, "highlights"> & { facts: Pick<DemoFacts, "players" | "timing"> };

/** How many a clip shows when nobody says: as many as the website's “best”. */
const defaultBest = 3;

/**
 * The highlights that are asked for, in match order.
 * @throws CliError when the demo has no such player, round, type or number
 */
export function wantedOf({ highlights, facts }: ChosenFrom, wanted: WantedHighlights): HighlightRow[] {
  if (wanted.picks.length > 0) return picked(highlights, wanted.picks);
  const players = wanted.players.length > 0 ? new Set(wanted.players.flatMap((text) => playersOf(text, facts))) : null;
  const last = facts.timing.rounds.at(-1)?.number ?? 0;
  const missing = wanted.rounds.find((round) => !facts.timing.rounds.some(({ number }) => number === round));
  if (missing !== undefined) throw new CliError(`There is no round ${missing}: the demo has ${last}.`);
  return highlights.filter(
    ({ type, player, round }) =>
      (players === null || players.has(player)) &&
      (wanted.types.length === 0 || (wanted.types as readonly string[]).includes(type)) &&
      (wanted.rounds.length === 0 || wanted.rounds.includes(round)),
  );
}

/**
 * The highlights that a clip is to show: the best first, or as they were picked.
 * @throws CliError as `wantedOf`, and when none is left
 */
export function chosenForClip(demo: ChosenFrom, wanted: WantedHighlights): HighlightRow[] {
  const found = wantedOf(demo, wanted);
  if (wanted.picks.length > 0) return found;
  if (demo.highlights.length === 0) throw new CliError("No highlights were found in this demo.");
  if (found.length === 0) throw new CliError(`None of its ${demo.highlights.length} highlights is of that choice.`);
  return bestMoments(found, wanted.best ?? defaultBest);
}

/** The best highlights, each another moment: see `distinctMoments`. */
export function bestMoments(highlights: readonly HighlightRow[], count: number): HighlightRow[] {
  return distinctMoments(byScore(highlights), count);
}

export function byScore(highlights: readonly HighlightRow[]): HighlightRow[] {
  return [...highlights].sort((a, b) => b.score - a.score || a.id - b.id);
}

function picked(highlights: readonly HighlightRow[], picks: readonly number[]): HighlightRow[] {
  return [...new Set(picks)].map((pick) => {
    const found = highlights.find(({ id }) => id === pick);
    if (!found) throw new CliError(`There is no highlight ${pick}: the demo has ${highlights.length}.`);
    return found;
  });
}

/** Indexes of the players that a text names: by Steam ID, else by name, else by a part of one name. */
function playersOf(text: string, { players }: Pick<DemoFacts, "players">): number[] {
  const wanted = simple(text);
  const indexesOf = (isMeant: (player: DemoPlayer) => boolean) =>
    players.flatMap((player, i) => (isMeant(player) ? [i] : []));
  const bySteamId = indexesOf(({ steam_id }) => steam_id !== null && steam_id === text.trim());
  if (bySteamId.length > 0) return bySteamId;
  const byName = indexesOf(({ name }) => simple(name) === wanted);
  if (byName.length > 0) return byName;
  const byPart = wanted ? indexesOf(({ name }) => simple(name).includes(wanted)) : [];
  if (byPart.length === 1) return byPart;
  const names = (indexes: readonly number[]) => indexes.map((i) => shownName(players[i])).join(", ");
  if (byPart.length > 1)
    throw new CliError(`“${text}” may be ${names(byPart)}. Write more of the name, or a Steam ID.`);
  const all = players.flatMap(({ team }, i) => (team === null ? [] : [i]));
  throw new CliError(`Nobody in it is called “${text}”. Its players: ${names(all)}.`);
}

const simple = (name: string) => cleanPlayerName(name).toLowerCase();

export function shownName(player: Pick<DemoPlayer, "name"> | undefined): string {
  return cleanPlayerName(player?.name ?? "") || "Unknown player";
}
