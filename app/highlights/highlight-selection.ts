import { type HighlightCategory, highlightCategories } from "../../contract/highlight-types.ts";

/** The three categories of the specification, and one for all other types (multi_kill, headshot_streak, unknown ones). */
export type FilterCategory = HighlightCategory | "other";

/**
 * Which highlights of a match are active. Two filters (players by team, categories) decide together, and single highlights may be switched by
 * hand. Pure functions, so that the server renders from the address the same state as the browser.
 */
export interface HighlightSelection {
  /** Keys of the players whose filter is on. */
  players: readonly string[];
  categories: readonly FilterCategory[];
  /** Highlights switched by hand: id → active. */
  overrides: Readonly<Record<number, boolean>>;
}

export interface SelectableHighlight {
  id: number;
  highlight_type: string;
  player_name: string;
  player_steam_id: string | null;
}

export interface ScoredHighlight extends SelectableHighlight {
  round_number: number;
  score: number;
}

export interface TeamPlayer {
  key: string;
  name: string;
  avatarUrl: string | null;
}

export interface SelectorTeam {
  name: string;
  players: TeamPlayer[];
}

const namedCategories = Object.keys(highlightCategories) as HighlightCategory[];

export const allCategories: readonly FilterCategory[] = [...namedCategories, "other"];

export const emptySelection: HighlightSelection = { players: [], categories: [], overrides: {} };

/** Identifies a highlight's player: the SteamID, or the name of a bot. */
export function playerKey(player: { player_name: string; player_steam_id: string | null }): string {
  return player.player_steam_id ?? `name:${player.player_name}`;
}

/** The filter category of a type. */
export function categoryOf(type: string): FilterCategory {
  const isIn = (category: HighlightCategory) => (highlightCategories[category] as readonly string[]).includes(type);
  return namedCategories.find(isIn) ?? "other";
}

/** True when the filters alone make it active. */
function isFilteredIn(selection: HighlightSelection, highlight: SelectableHighlight): boolean {
  return (
    selection.players.includes(playerKey(highlight)) &&
    selection.categories.includes(categoryOf(highlight.highlight_type))
  );
}

export function isActive(selection: HighlightSelection, highlight: SelectableHighlight): boolean {
  return selection.overrides[highlight.id] ?? isFilteredIn(selection, highlight);
}

export function isOverridden(selection: HighlightSelection, highlight: SelectableHighlight): boolean {
  return selection.overrides[highlight.id] !== undefined;
}

export function activeHighlights<H extends SelectableHighlight>(
  selection: HighlightSelection,
  highlights: readonly H[],
): H[] {
  return highlights.filter((highlight) => isActive(selection, highlight));
}

/** Switches one highlight by hand; switching it back to what the filters say ends the override. */
export function toggleHighlight(selection: HighlightSelection, highlight: SelectableHighlight): HighlightSelection {
  const wanted = !isActive(selection, highlight);
  const { [highlight.id]: _previous, ...others } = selection.overrides;
  const overrides = wanted === isFilteredIn(selection, highlight) ? others : { ...others, [highlight.id]: wanted };
  return { ...selection, overrides };
}

/** Switches players on (all of them, unless all are on already) or off. With no category on, every category goes on too. */
function togglePlayers(selection: HighlightSelection, keys: readonly string[]): HighlightSelection {
  const areOn = keys.every((key) => selection.players.includes(key));
  const others = selection.players.filter((key) => !keys.includes(key));
  if (areOn) return { ...selection, players: others };
  return {
    ...selection,
    players: [...others, ...keys],
    categories: selection.categories.length === 0 ? allCategories : selection.categories,
  };
}

/** Switches a category. Switched on with no player on, every player of both teams goes on too. */
function toggleCategory(
  selection: HighlightSelection,
  category: FilterCategory,
  everyPlayer: readonly string[],
): HighlightSelection {
  if (selection.categories.includes(category)) {
    return { ...selection, categories: selection.categories.filter((other) => other !== category) };
  }
  return {
    ...selection,
    categories: allCategories.filter((other) => other === category || selection.categories.includes(other)),
    players: selection.players.length === 0 ? [...everyPlayer] : selection.players,
  };
}

/** How many highlights count as the best of a match: they are marked, and ticked by one button. */
export const topPickCount = 3;

/**
 * Ids of the best highlights for a reader: their own before all others. Of several highlights of a player in a round, which show one scene, only
 * the best counts.
 */
export function topPicks(highlights: readonly ScoredHighlight[], reader: string | null): ReadonlySet<number> {
  const scenes = new Map<string, number>();
  for (const highlight of inOrder(highlights, "best", reader)) {
    const scene = `${highlight.round_number} ${playerKey(highlight)}`;
    if (scenes.size < topPickCount && !scenes.has(scene)) scenes.set(scene, highlight.id);
  }
  return new Set(scenes.values());
}

/** Ticks only the best of those that the filters let through; a filter that is off lets everything through. Other ticks by hand stay. */
function pickBest(
  selection: HighlightSelection,
  highlights: readonly ScoredHighlight[],
  reader: string | null,
): HighlightSelection {
  const { players, categories } = selection;
  const candidates = highlights.filter(
    (highlight) =>
      (players.length === 0 || players.includes(playerKey(highlight))) &&
      (categories.length === 0 || categories.includes(categoryOf(highlight.highlight_type))),
  );
  const best = topPicks(candidates, reader);
  return candidates
    .filter((highlight) =>
      best.has(highlight.id)
        ? !isActive(selection, highlight)
        : isFilteredIn(selection, highlight) && isActive(selection, highlight),
    )
    .reduce(toggleHighlight, selection);
}

export type HighlightOrder = "round" | "best";

/**
 * The highlights in the chosen order: as they happened (as given), or best first, with the reader's own before all others. A clip keeps the order
 * of the match.
 * @param reader `playerKey` of the reader
 */
export function inOrder<H extends ScoredHighlight>(
  highlights: readonly H[],
  order: HighlightOrder,
  reader: string | null = null,
): readonly H[] {
  if (order === "round") return highlights;
  const isOwn = (highlight: H) => Number(playerKey(highlight) === reader);
  return [...highlights].sort((a, b) => isOwn(b) - isOwn(a) || b.score - a.score);
}

/** The order in an address, from the pressed button or from a field of the form. */
export function orderFromQuery(query: URLSearchParams): HighlightOrder {
  const pressed = /^order:(round|best)$/.exec(query.get("toggle") ?? "")?.[1];
  return (pressed ?? query.get("order")) === "round" ? "round" : "best";
}

/** Everything on, nothing by hand. */
function selectAll(everyPlayer: readonly string[]): HighlightSelection {
  return { players: [...everyPlayer], categories: allCategories, overrides: {} };
}

/**
 * The two teams of the selector: by the match's team data, else the highlights' players half and half by order of appearance.
 * A highlight's player whom the team data does not know joins the smaller team, so that every highlight can be filtered.
 */
export function selectorTeams(
  highlights: readonly (SelectableHighlight & { player_avatar_url: string | null })[],
  playersByTeam: Record<"team1" | "team2", { name: string; players: readonly KnownPlayer[] }> | null,
): [SelectorTeam, SelectorTeam] {
  const appearing = new Map<string, TeamPlayer>();
  for (const highlight of highlights) {
    const key = playerKey(highlight);
    if (!appearing.has(key)) {
      appearing.set(key, { key, name: highlight.player_name, avatarUrl: highlight.player_avatar_url });
    }
  }
  const players = [...appearing.values()];
  if (!playersByTeam) {
    const half = Math.ceil(players.length / 2);
    return [
      { name: "Team 1", players: players.slice(0, half) },
      { name: "Team 2", players: players.slice(half) },
    ];
  }
  const [first, second] = [playersByTeam.team1, playersByTeam.team2].map((team) => ({
    name: team.name,
    players: team.players.flatMap((player) => {
      const key = player.steam_id ?? `name:${player.name}`;
      const known = appearing.get(key);
      if (!known) return [];
      appearing.delete(key);
      return [{ ...known, avatarUrl: known.avatarUrl ?? player.avatar_url }];
    }),
  })) as [SelectorTeam, SelectorTeam];
  for (const player of appearing.values()) {
    (first.players.length <= second.players.length ? first : second).players.push(player);
  }
  return [first, second];
}

interface KnownPlayer {
  name: string;
  steam_id: string | null;
  avatar_url: string | null;
}

/**
 * What a button of the form does, by its value: `all`, `none`, `best`, `category:special`, `team:0` or `player:KEY`. The same
 * words stand in the address when a button is pressed without JavaScript. An unknown value changes nothing.
 * @param reader `playerKey` of the reader
 */
export function applyToggle(
  selection: HighlightSelection,
  toggle: string,
  teams: readonly SelectorTeam[],
  highlights: readonly ScoredHighlight[],
  reader: string | null = null,
): HighlightSelection {
  const keysByTeam = teams.map((team) => team.players.map((player) => player.key));
  const everyPlayer = keysByTeam.flat();
  const [kind, ...rest] = toggle.split(":");
  const value = rest.join(":");
  if (kind === "all") return selectAll(everyPlayer);
  if (kind === "none") return emptySelection;
  if (kind === "best") return pickBest(selection, highlights, reader);
  if (kind === "team") {
    const keys = keysByTeam[Number(value)];
    return keys && keys.length > 0 ? togglePlayers(selection, keys) : selection;
  }
  if (kind === "player" && everyPlayer.includes(value)) return togglePlayers(selection, [value]);
  const category = allCategories.find((other) => kind === "category" && other === value);
  return category ? toggleCategory(selection, category, everyPlayer) : selection;
}

/** A selection with the given ticks: those that differ from the filters count as made by hand. */
export function selectionWithTicks(
  filters: Pick<HighlightSelection, "players" | "categories">,
  ticked: readonly number[],
  highlights: readonly SelectableHighlight[],
): HighlightSelection {
  const base = { players: filters.players, categories: filters.categories, overrides: {} };
  const overrides: Record<number, boolean> = {};
  for (const highlight of highlights) {
    const active = ticked.includes(highlight.id);
    if (active !== isFilteredIn(base, highlight)) overrides[highlight.id] = active;
  }
  return { ...base, overrides };
}

/** The selection that the form wrote into the address when a filter button was pressed without JavaScript. */
export function selectionFromQuery(
  query: URLSearchParams,
  highlights: readonly ScoredHighlight[],
  teams: readonly SelectorTeam[],
  reader: string | null = null,
): HighlightSelection {
  const everyPlayer = teams.flatMap((team) => team.players.map((player) => player.key));
  const filters = {
    players: everyPlayer.filter((key) => query.getAll("player").includes(key)),
    categories: allCategories.filter((category) => query.getAll("category").includes(category)),
  };
  const selection = selectionWithTicks(filters, query.getAll("highlight").map(Number), highlights);
  return applyToggle(selection, query.get("toggle") ?? "", teams, highlights, reader);
}

/** A selection kept in the browser's history. @returns null for anything else: an older version of this page may have written it */
export function selectionFromState(state: unknown): HighlightSelection | null {
  const { players, categories, overrides } = (state ?? {}) as Partial<Record<keyof HighlightSelection, unknown>>;
  if (!Array.isArray(players) || !Array.isArray(categories) || typeof overrides !== "object" || !overrides) return null;
  const ticks = Object.entries(overrides).filter(([id, active]) => /^\d+$/.test(id) && typeof active === "boolean");
  return {
    players: players.filter((key) => typeof key === "string"),
    categories: allCategories.filter((category) => categories.includes(category)),
    overrides: Object.fromEntries(ticks),
  };
}

/** A name as the narrow filter column shows it. */
export function shortPlayerName(name: string, max: number): string {
  const letters = [...name];
  return letters.length > max ? `${letters.slice(0, max).join("")}...` : name;
}
