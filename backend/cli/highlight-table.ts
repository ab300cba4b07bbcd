import { boundedLine, cleanLine } from "../../contract/clean-text.ts";
import { highlightLabel } from "../../contract/highlight-types.ts";
import { mapDisplayName } from "../../contract/maps.ts";
import { textLimits } from "../../contract/text-limits.ts";
import type { DemoFacts } from "../matches/demo-facts.ts";
import type { HighlightRow } from "../storage/schema.ts";
import { byScore, shownName } from "./choose-highlights.ts";
import { cutToWidth, displayWidth, padToWidth, wrapToWidth } from "./display-width.ts";

/** Reasons are broken into lines of no less. */
const narrowestReason = 16;
/** Names longer than this take room from the reasons of a narrow terminal. */
const widestPlayer = (columns: number) => (columns < 100 ? 18 : Number.POSITIVE_INFINITY);
/** Between two columns. */
const gap = "  ";

/**
 * What was found in a demo: its map, score and players, and a table of its highlights. Texts of strangers are cleaned: no sign of
 * theirs steers a terminal.
 * @param highlights those to list, in match order
 * @param columns of the terminal; Infinity where nobody says
 */
export function highlightTable(
  { facts, highlights }: { facts: DemoFacts; highlights: readonly HighlightRow[] },
  { demo, by, columns }: { demo: string; by: "score" | "round"; columns: number },
): string {
  const ordered = by === "score" ? byScore(highlights) : highlights;
  return [
    ...header(facts, demo, columns),
    "",
    ...(ordered.length === 0 ? ["No highlights."] : table(ordered, facts, columns)),
    "",
  ].join("\n");
}

function header(facts: DemoFacts, demo: string, columns: number): string[] {
  const rounds = facts.timing.rounds.length;
  const names = facts.teams.map(({ name }, i) => boundedLine(name, textLimits.clanName) || `Team ${i + 1}`);
  const scores = facts.teams.map(({ score }) => score);
  const title = `${mapDisplayName(facts.map)}, ${names[0]} ${scores[0]} : ${scores[1]} ${names[1]}, ${rounds} ${rounds === 1 ? "round" : "rounds"}`;
  const rosters = names.flatMap((name, team) => {
    const players = facts.players.filter((player) => player.team === team).map(shownName);
    return wrapToWidth(`${name}: ${players.join(", ")}`, columns - 2).map((line) => `  ${line}`);
  });
  return [cutToWidth(cleanLine(demo), columns), ...wrapToWidth(title, columns), ...rosters];
}

interface Column {
  title: string;
  side: "left" | "right";
  cells: string[];
}

function table(highlights: readonly HighlightRow[], facts: DemoFacts, columns: number): string[] {
  const column = (title: string, side: Column["side"], cell: (row: HighlightRow) => string): Column => ({
    title,
    side,
    cells: highlights.map(cell),
  });
  const all = [
    column("#", "left", ({ id }) => String(id)),
    column("Round", "left", ({ round }) => String(round)),
    column("Time", "left", (row) => timeInRound(row, facts)),
    column("Type", "right", ({ type }) => highlightLabel(type)),
    column("Player", "right", ({ player }) => cutToWidth(shownName(facts.players[player]), widestPlayer(columns))),
    column("Reason", "right", ({ reason }) => boundedLine(reason, textLimits.reason)),
    column("Score", "left", ({ score }) => String(Math.round(score))),
  ];
  const widths = all.map(({ title, cells }) => Math.max(...[title, ...cells].map(displayWidth)));
  const reason = all.findIndex(({ title }) => title === "Reason");
  const others = widths.reduce((sum, width, i) => (i === reason ? sum : sum + width), gap.length * (all.length - 1));
  widths[reason] = Math.min(widths[reason] ?? 0, Math.max(narrowestReason, columns - others));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => padToWidth(cell, widths[i] ?? 0, all[i]?.side))
      .join(gap)
      .trimEnd();
  const rows = highlights.flatMap((_, row) => {
    const cells = all.map(({ cells: own }) => own[row] ?? "");
    const [first = "", ...more] = wrapToWidth(cells[reason] ?? "", widths[reason] ?? 0);
    const withReason = (others: readonly string[], part: string) =>
      others.map((cell, i) => (i === reason ? part : cell));
    const empty = all.map(() => "");
    return [withReason(cells, first), ...more.map((part) => withReason(empty, part))].map(line);
  });
  return [line(all.map(({ title }) => title)), ...rows];
}

/** When it begins, since freeze time ended: "0:48". */
function timeInRound({ round, start_tick: tick }: HighlightRow, { timing }: Pick<DemoFacts, "timing">): string {
  const live = timing.rounds.find(({ number }) => number === round)?.freezeEndTick;
  return live === undefined ? "" : clockTime((tick - live) / timing.tickRate);
}

/** "1:05" of 65 seconds. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
