import type { Agreement, Comparison } from "./agreement.ts";
import type { Difference } from "./explanations.ts";

/** One demo's comparison, both a section of docs/accuracy.md and the command's output. */
export function demoSection(name: string, comparison: Comparison): string {
  return [
    `## ${name}`,
    "",
    table("Kills", comparison.kills),
    "",
    table("Rounds", comparison.rounds),
    "",
    table(
      "Highlights",
      [comparison.clutches, ...comparison.highlights].filter(({ ours, theirs }) => ours + theirs > 0),
    ),
    "",
    differenceList(comparison.differences),
    "",
  ].join("\n");
}

function table(title: string, agreements: readonly Agreement[]): string {
  const rows = agreements.map(({ what, ours, theirs, equal }) => {
    const share = ours + theirs === 0 ? "" : `${((equal / Math.max(ours, theirs)) * 100).toFixed(1)} %`;
    return `| ${what} | ${ours} | ${theirs} | ${equal} | ${share} |`;
  });
  return [`| ${title} | ours | analyzer's | equal | |`, "|---|---:|---:|---:|---:|", ...rows].join("\n");
}

function differenceList(differences: readonly Difference[]): string {
  if (differences.length === 0) return "No difference.";
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const why = difference.why ?? "**Not explained.**";
    groups.set(why, [...(groups.get(why) ?? []), difference]);
  }
  return [
    "Differences, one by one:",
    "",
    ...[...groups].flatMap(([why, group]) => [
      `- ${why}`,
      ...group.map(({ where, ours, theirs }) => `  - ${where}: ours ${ours}, analyzer's ${theirs}`),
    ]),
  ].join("\n");
}

/** The page's introduction. */
export const introduction = `# Accuracy

What we find in demos, compared with the independent analyzer \`@akiver/cs-demo-analyzer\` (Go, on demoinfocs-golang; we
parse with \`@laihoe/demoparser2\`, Rust). This page is written by

    npm run accuracy -- --write

and the same comparison runs on any demo, packed or not:

    npm run accuracy -- FILE…

It ends with exit code 1 when there is a difference that nobody has explained.

- **Kills** are matched by tick and victim; each further field is compared on the kills both have. Knives are one weapon to
  the analyzer, and it tells fire by the grenade that lit it.
- **Rounds** are matched by the tick at which freeze time ends.
- **Highlights** are worked out twice: by the detectors in \`backend/highlights\` from our match record, and once more, by
  other code, from the analyzer's kills, clutches, defuses, shots and damage (\`scripts/accuracy/analyzer-highlights.ts\`).
  Both follow [highlights.md](highlights.md). Equal means: same type, round, player and first tick.

The demos below are those of the tests: a scripted reel with every type of highlight, a scripted match with overtime and a
reconnect, four real matches re-encoded as demos, and scripted odd cases (\`tests/fixtures/demos/cases\`).
`;
