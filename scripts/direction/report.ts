import type { MatchRecord } from "../../replay/match-record.ts";
import type { DirectionFigures } from "../../scene/direction/direction-figures.ts";
import type { JudgedClip } from "./judge-match.ts";

const rows: readonly [measure: keyof DirectionFigures, words: string][] = [
  ["kills", "kills shown"],
  ["hidden", "with shooter or victim under a panel"],
  ["wrongHeadline", "headline other than the type"],
  ["toldEarly", "win told before it is decided"],
  ["notShown", "clutch win not shown"],
  ["cutShort", "cut less than 1.2 s after the last kill"],
  ["idleShare", "video time in idle stretches beyond 2 s"],
  ["smallestTextPx390", "smallest text at 390 px width"],
  ["panelShare", "covered by panels"],
  ["offGroundShare", "players on their feet off the drawn ground"],
  ["belowSmoke", "deaths drawn below smoke"],
];

/** A Markdown table with a row for each measure and a column for each format. */
export function figureTable(title: string, figures: ReadonlyMap<string, DirectionFigures>): string {
  const columns = [...figures.values()];
  return [
    `| ${title} | ${[...figures.keys()].join(" | ")} |`,
    `|---|${columns.map(() => "---:|").join("")}`,
    ...rows.map(
      ([measure, words]) => `| ${words} | ${columns.map((of) => written(measure, of[measure])).join(" | ")} |`,
    ),
    "",
  ].join("\n");
}

function written(measure: keyof DirectionFigures, value: number | null): string {
  if (value === null) return "–";
  if (measure.endsWith("Share")) return `${(100 * value).toFixed(1)} %`;
  return measure === "smallestTextPx390" ? `${value.toFixed(1)} px` : String(value);
}

/** Every fault with its clip, to be looked at with `scripts/draw-frames.ts`. */
export function faultList(title: string, record: MatchRecord, clips: readonly JudgedClip[]): string {
  const lines = clips.flatMap(({ highlight, faults }, i) =>
    faults.map(({ measure, seconds }) => {
      const name = record.players[highlight.player]?.name ?? "";
      return `${measure}  ${seconds.toFixed(2)} s  highlight ${i}  ${highlight.type}  round ${highlight.round}  ${name}`;
    }),
  );
  return [`## ${title}`, ...lines, ""].join("\n");
}
