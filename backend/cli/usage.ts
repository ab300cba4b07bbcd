import { clipFormatNames } from "../../contract/clip-formats.ts";
import { highlightCategories, highlightTypes } from "../../contract/highlight-types.ts";
import { limits } from "../../contract/limits.ts";

export const commandNames = ["analyze", "clip", "record", "direction", "accuracy", "serve"] as const;
export type CommandName = (typeof commandNames)[number];

const { preTimeAdjustmentSeconds: leadIn, postTimeAdjustmentSeconds: leadOut } = limits;

const choosing = `Which highlights:
  --best N            the N best moments, 1 to ${limits.highlightsPerClip}
  --player NAME       of this player: name, part of it, or Steam ID; may be repeated
  --type TYPE         of this type or category; may be repeated
  --round N           of this round; may be repeated
  --pick N,N,…        exactly these, by their numbers in “clutchcast analyze”
`;

const wishes = `  --format FORMAT     ${clipFormatNames.join(", ")} (720p)
  --name NAME         shown at its end (default: player, map, round and highlight)
  --order ORDER       match: as it was played (default); chosen: the best first, or as --pick names them
  --lead-in SECONDS   ${leadIn.min} to ${leadIn.max}: shown before the first kill, on top of 2 (2)
  --lead-out SECONDS  ${leadOut.min} to ${leadOut.max}: shown after the last one, on top of 2 (0; -1.5 after a single kill)
  --no-xray, --no-hud leave x-ray or the display out of the picture
`;

const types = `Types: ${wrapped([...highlightTypes])}
Categories: ${Object.keys(highlightCategories).join(", ")}
`;

const demos = "DEMO is a .dem file, as it is or packed (.bz2, .gz, .zst), or a folder of them.";

const general = `Usage: clutchcast COMMAND [OPTIONS] [DEMO…]

Finds the highlights of Counter-Strike 2 demos and makes videos of them, without a server.

  analyze DEMO…        what is in a demo, as a table or as JSON
  clip DEMO…           makes a video of its best moments
  clip --watch FOLDER  makes one of every demo that appears in a folder
  record DEMO…         writes what records the same clip in the game itself
  direction DEMO…      judges how its clips are filmed
  accuracy DEMO…       compares what is found with an independent analyzer
  serve                starts the website, as npm start does

clutchcast COMMAND --help tells more, clutchcast --version the version.
Ends with 0 when all is done, 1 when something failed, 2 when it was asked in a wrong way, 130 by Ctrl-C.
`;

const usages: Record<CommandName, string> = {
  analyze: `Usage: clutchcast analyze [OPTIONS] DEMO…

Prints the map, the score, the players and every highlight of a demo.
${demos}

  --by score|round    order of the table (score)
  --json              everything as one JSON document: a list with an entry for each demo
  --quiet             no progress

${choosing}
${types}`,
  clip: `Usage: clutchcast clip [OPTIONS] DEMO…
       clutchcast clip [OPTIONS] --watch FOLDER

Makes a video (mp4) of the best moments of a demo.
${demos}

  -o, --output FILE   the mp4, or a folder for it (default: the demo's name, in the current folder)
  --force             overwrite a video that is there
${wishes}  --no-radar, --no-killfeed, --no-captions
                      leave these out as well
  --watch FOLDER      until Ctrl-C: a video of every demo in it, and of every one that appears there
  --json              what was made, as one JSON document; with --watch a line for each
  --quiet             no progress

${choosing}Without any of them: the 3 best moments.

${types}`,
  record: `Usage: clutchcast record [OPTIONS] DEMO…

Writes what records the same clip in Counter-Strike 2 itself: a config for CS Demo Manager (.json)
and commands for HLAE (.xml).
${demos}

  -o, --output FILE   a .json, a .xml, or a folder for both (default: the demo's name, in the current folder)
  --force             overwrite files that are there
${wishes}  --quiet             no progress and no words on how to use the files

${choosing}Without any of them: the 3 best moments.

${types}`,
  direction: `Usage: clutchcast direction [--json] [--faults] [--format FORMAT] DEMO…

Plans a clip of every highlight and judges what is drawn of it: who is hidden, what is told when, what a phone can read.
`,
  accuracy: `Usage: clutchcast accuracy DEMO…

Compares kills, rounds and clutches with what an independent analyzer finds in the same demo. That comes with
the packages of the tests: run “node scripts/install-only.mjs” once in Clutchcast's own folder.
`,
  serve: `Usage: clutchcast serve [--check]

Starts the website in this process, as “npm start” does in Clutchcast's own folder; settings are environment variables
(README.md). --check tries the settings and starts nothing.
`,
};

/** @param command null: what there is at all */
export function usageOf(command: CommandName | null): string {
  return command === null ? general : usages[command];
}

export function isCommandName(word: string): word is CommandName {
  return (commandNames as readonly string[]).includes(word);
}

/** Lines of at most 80 characters. */
function wrapped(words: readonly string[]): string {
  let line = "Types: ".length;
  return words
    .map((word, i) => {
      const isLast = i === words.length - 1;
      line += word.length + 2;
      if (line <= 80) return isLast ? word : `${word}, `;
      line = word.length + 4;
      return `\n  ${word}${isLast ? "" : ", "}`;
    })
    .join("")
    .replaceAll(/ +\n/g, "\n");
}
