import { expect, test } from "vitest";
import {
  activeHighlights,
  allCategories,
  applyToggle,
  emptySelection,
  inOrder,
  isActive,
  isOverridden,
  orderFromQuery,
  selectionFromQuery,
  selectionFromState,
  selectionWithTicks,
  selectorTeams,
  shortPlayerName,
  toggleHighlight,
} from "./highlight-selection.ts";

const player = (name: string, steamId: string | null = name) => ({
  player_name: name,
  player_steam_id: steamId,
  player_avatar_url: null,
});
const highlights = [
  { id: 1, highlight_type: "ace", round_number: 3, score: 90, ...player("Nova") },
  { id: 2, highlight_type: "wallbang", round_number: 3, score: 20, ...player("Nova") },
  { id: 3, highlight_type: "clutch_1v3", round_number: 5, score: 70, ...player("Dune") },
  { id: 4, highlight_type: "multi_kill", round_number: 6, score: 5, ...player("Dune") },
  { id: 5, highlight_type: "knife_kill", round_number: 2, score: 60, ...player("Kestrel") },
];
const known = (name: string) => ({ name, steam_id: name, avatar_url: null });
const teams = selectorTeams(highlights, {
  team1: { name: "A", players: [known("Nova"), known("Kestrel")] },
  team2: { name: "B", players: [known("Dune"), known("Quiet")] },
});
const press = (...toggles: string[]) =>
  toggles.reduce((selection, toggle) => applyToggle(selection, toggle, teams, highlights), emptySelection);
const ids = (selection: typeof emptySelection) => activeHighlights(selection, highlights).map(({ id }) => id);

test("nothing is active at first", () => {
  expect(ids(emptySelection)).toEqual([]);
});

test("a team filter without a category turns every category on", () => {
  const selection = press("team:0");
  expect(selection.categories).toEqual(allCategories);
  expect(ids(selection)).toEqual([1, 2, 5]);
});

test("a category filter without a team turns every player on", () => {
  const selection = press("category:clutch");
  expect(selection.players).toEqual(["Nova", "Kestrel", "Dune"]);
  expect(ids(selection)).toEqual([3]);
});

test("with a team on, a category changes only the categories", () => {
  const selection = press("team:0", "category:special");
  expect(selection.players).toEqual(["Nova", "Kestrel"]);
  expect(ids(selection)).toEqual([1]);
});

test("with a category on, a team changes only the players", () => {
  expect(ids(press("category:special", "team:0"))).toEqual([]);
  expect(ids(press("category:special", "team:1"))).toEqual([2, 5]);
});

test("a single player can be switched", () => {
  expect(ids(press("player:Kestrel"))).toEqual([5]);
  expect(ids(press("team:0", "player:Kestrel"))).toEqual([1, 2]);
});

test("switching off the last team leaves the categories as they are", () => {
  const selection = press("team:0", "team:0");
  expect(selection.players).toEqual([]);
  expect(selection.categories).toEqual(allCategories);
});

test("a type of none of the three categories has one of its own", () => {
  expect(ids(press("all"))).toContain(4);
  expect(ids(press("all", "category:special"))).toContain(4);
  expect(ids(press("all", "category:other"))).not.toContain(4);
  expect(ids(press("category:other"))).toEqual([4]);
});

test("All sets everything and None clears everything, manual choices too", () => {
  const byHand = toggleHighlight(press("team:0"), highlights[2]!);
  expect(ids(byHand)).toEqual([1, 2, 3, 5]);
  expect(applyToggle(byHand, "all", teams, highlights).overrides).toEqual({});
  expect(ids(applyToggle(byHand, "all", teams, highlights))).toEqual([1, 2, 3, 4, 5]);
  expect(applyToggle(byHand, "none", teams, highlights)).toEqual(emptySelection);
});

test("a manual choice outlives a filter and ends when it is taken back", () => {
  const highlight = highlights[0]!;
  const byHand = toggleHighlight(emptySelection, highlight);
  expect(isOverridden(byHand, highlight)).toBe(true);
  expect(isActive(applyToggle(byHand, "category:clutch", teams, highlights), highlight)).toBe(true);
  expect(isOverridden(toggleHighlight(byHand, highlight), highlight)).toBe(false);
});

test("the best three are ticked by hand, beside what is ticked already", () => {
  expect(ids(press("best"))).toEqual([1, 3, 5]);
  const byHand = toggleHighlight(emptySelection, highlights[3] as (typeof highlights)[number]);
  const selection = applyToggle(byHand, "best", teams, highlights);
  expect(ids(selection)).toEqual([1, 3, 4, 5]);
  expect(selection.overrides).toEqual({ 1: true, 3: true, 4: true, 5: true });
  expect(press("best", "best")).toEqual(press("best"));
});

test("the best are those that the filters let through, the reader's own before others', and of a player's round one", () => {
  expect(ids(press("team:0", "best"))).toEqual([1, 5]);
  expect(ids(press("category:special", "best"))).toEqual([2, 5]);
  // All are too many for a clip: the others go.
  expect(ids(press("all", "best"))).toEqual([1, 3, 5]);
  // Players alone let nothing through by themselves, and still say of whom the best are wanted.
  expect(ids(press("player:Dune", ...allCategories.map((name) => `category:${name}`), "best"))).toEqual([3, 4]);
  const ofDune = applyToggle(emptySelection, "best", teams, highlights, "Dune");
  expect(ids(ofDune)).toEqual([1, 3, 4]);
  const sameScene = highlights.map((highlight) => (highlight.id === 4 ? { ...highlight, round_number: 5 } : highlight));
  const ofScenes = applyToggle(emptySelection, "best", teams, sameScene, "Dune");
  expect(activeHighlights(ofScenes, sameScene).map(({ id }) => id)).toEqual([1, 3, 5]);
});

test("the best come first when the address or the button just pressed asks for it", () => {
  const order = (query: string) => orderFromQuery(new URLSearchParams(query));
  expect(order("")).toBe("best");
  expect(order("order=best")).toBe("best");
  expect(order("order=best&toggle=all")).toBe("best");
  expect(order("order=best&toggle=order:round")).toBe("round");
  expect(order("order=round&toggle=order:best")).toBe("best");
  expect(inOrder(highlights, "best").map(({ id }) => id)).toEqual([1, 3, 5, 2, 4]);
  expect(inOrder(highlights, "best", "Dune").map(({ id }) => id)).toEqual([3, 4, 1, 5, 2]);
  expect(inOrder(highlights, "best", "nobody here").map(({ id }) => id)).toEqual([1, 3, 5, 2, 4]);
  expect(inOrder(highlights, "round", "Dune")).toEqual(highlights);
});

test("an unknown filter changes nothing", () => {
  for (const toggle of ["", "team:7", "player:Nobody", "category:best", "constructor"]) {
    expect(press("team:0", toggle)).toEqual(press("team:0"));
  }
});

test("the address of a form sent by GET gives the same selection, then presses the button", () => {
  const query = new URLSearchParams([
    ["player", "Nova"],
    ["player", "Nobody"],
    ["category", "multikill"],
    ["highlight", "1"],
    ["highlight", "3"],
    ["toggle", "category:special"],
  ]);
  const selection = selectionFromQuery(query, highlights, teams);
  expect(selection.players).toEqual(["Nova"]);
  expect(selection.overrides).toEqual({ 3: true });
  expect(ids(selection)).toEqual([1, 2, 3]);
});

test("a tick that was taken away is a manual choice too", () => {
  const selection = selectionWithTicks(press("team:0"), [1], highlights);
  expect(selection.overrides).toEqual({ 2: false, 5: false });
});

test("without team data players are split half and half by appearance", () => {
  const [first, second] = selectorTeams(highlights, null);
  expect(first.players.map(({ name }) => name)).toEqual(["Nova", "Dune"]);
  expect(second.players.map(({ name }) => name)).toEqual(["Kestrel"]);
});

test("a player whom the team data does not know can still be filtered", () => {
  const [first, second] = selectorTeams(highlights, {
    team1: { name: "A", players: [known("Nova"), known("Kestrel")] },
    team2: { name: "B", players: [] },
  });
  expect(first.players.map(({ name }) => name)).toEqual(["Nova", "Kestrel"]);
  expect(second.players.map(({ name }) => name)).toEqual(["Dune"]);
});

test("two bots without a SteamID are told apart by name", () => {
  const bots = [
    { id: 1, highlight_type: "ace", round_number: 1, score: 1, ...player("BOT Ann", null) },
    { id: 2, highlight_type: "ace", round_number: 2, score: 2, ...player("BOT Bob", null) },
  ];
  const botTeams = selectorTeams(bots, null);
  const selection = applyToggle(emptySelection, `player:${botTeams[0].players[0]?.key}`, botTeams, bots);
  expect(activeHighlights(selection, bots).map(({ id }) => id)).toEqual([1]);
});

test("long names are cut at twelve characters, counted as letters", () => {
  expect(shortPlayerName("twelve chars", 12)).toBe("twelve chars");
  expect(shortPlayerName("thirteen char", 12)).toBe("thirteen cha...");
  expect(shortPlayerName("😀😀😀", 2)).toBe("😀😀...");
});

test("A selection kept in the browser's history is taken as far as this version can read it", () => {
  const kept = { players: ["Nova"], categories: ["special"], overrides: { 4: true } };
  expect(selectionFromState(structuredClone(kept))).toEqual(kept);
  for (const old of [undefined, null, "chosen", [], { players: ["Nova"] }, { ...kept, overrides: null }]) {
    expect(selectionFromState(old)).toBeNull();
  }
  const odd = {
    players: ["Nova", 7],
    categories: ["retired", "special"],
    overrides: { 4: true, 5: "yes", x: true },
  };
  expect(selectionFromState(odd)).toEqual(kept);
});
