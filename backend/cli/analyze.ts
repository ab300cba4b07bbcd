import { tmpdir } from "node:os";
import { cleanLine } from "../../contract/clean-text.ts";
import { mapDisplayName } from "../../contract/maps.ts";
import { presentHighlight } from "../matches/present-highlight.ts";
import type { HighlightRow } from "../storage/schema.ts";
import { bestMoments, byScore, shownName, wantedOf } from "./choose-highlights.ts";
import { findDemos } from "./find-demos.ts";
import { highlightTable } from "./highlight-table.ts";
import { ProgressBar } from "./progress-bar.ts";
import type { AnalyzeCommand } from "./read-arguments.ts";
import { type ReadDemo, readDemo } from "./read-demo.ts";
import { type Session, sayError, sayMissing } from "./session.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

/** Measured on matches of 24 to 44 rounds. */
export const parseStages = [
  { name: "unpacking", share: 0.15 },
  { name: "reading", share: 0.5 },
  { name: "looking for highlights", share: 0.35 },
];

/** The stages of a parse, as people read them. */
export const parseStageNames = {
  extracting_demo: "unpacking",
  parsing_demo: "reading",
  analyzing_highlights: "looking for highlights",
} as const;

/**
 * `clutchcast analyze`: prints what is in each demo. One that cannot be read is said, and the others are read all the same.
 * @returns whether all could be read
 * @throws the signal's reason
 */
export async function analyze(command: AnalyzeCommand, session: Session): Promise<boolean> {
  const { demos, missing } = await findDemos(command.demos, session.cwd);
  const answers: object[] = sayMissing(session, missing);
  let isFine = missing.length === 0;
  for (const [i, { shown, path }] of demos.entries()) {
    const title = cleanLine(demos.length > 1 ? `${shown} (${i + 1}/${demos.length})` : shown);
    const bar = new ProgressBar(session.progress, title, parseStages);
    const place = tmpdir();
    try {
      const demo = await inTemporaryFolder(place, "clutchcast-", (directory) =>
        readDemo(path, {
          directory,
          maxBytes: session.config.MAX_DEMO_BYTES,
          containment: session.containment,
          signal: session.signal,
          onStage: (stage, fraction) => bar.report(parseStageNames[stage], fraction),
        }),
      );
      const highlights = listed(demo, command);
      bar.clear();
      if (command.isJson) answers.push(jsonOf(demo, shown, highlights, command.by));
      else {
        const { by } = command;
        session.print(highlightTable({ facts: demo.facts, highlights }, { demo: shown, by, columns: session.columns }));
        session.print(i < demos.length - 1 ? "\n" : "");
      }
    } catch (error) {
      bar.clear();
      session.signal.throwIfAborted();
      isFine = false;
      const sentence = sayError(session, shown, error, `${place} (TMPDIR)`);
      answers.push({ demo: shown, error: sentence });
    }
  }
  if (command.isJson) session.print(`${JSON.stringify(answers, null, 2)}\n`);
  return isFine;
}

/** In match order. */
function listed(demo: ReadDemo, { wanted }: AnalyzeCommand): HighlightRow[] {
  const found = wantedOf(demo, wanted);
  const best = wanted.best === null ? found : bestMoments(found, wanted.best);
  return [...best].sort((a, b) => a.id - b.id);
}

/** Fields have the names that the website's API has for them. */
function jsonOf({ sha256, facts }: ReadDemo, demo: string, highlights: HighlightRow[], by: AnalyzeCommand["by"]) {
  return {
    demo,
    sha256,
    map_name: facts.map,
    map_display_name: mapDisplayName(facts.map),
    game_mode: facts.game_mode,
    server_name: facts.server_name,
    tick_rate: facts.timing.tickRate,
    rounds: facts.timing.rounds.length,
    teams: facts.teams.map(({ name, score }, team) => ({
      name,
      score,
      players: facts.players
        .filter((player) => player.team === team)
        .map((player) => ({ name: shownName(player), steam_id: player.steam_id })),
    })),
    highlights: (by === "score" ? byScore(highlights) : highlights).map((row) => {
      const { player_avatar_url: _, display_name: __, ...highlight } = presentHighlight(row, facts.players, new Map());
      return highlight;
    }),
  };
}
