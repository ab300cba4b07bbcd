/**
 * `npm run direction -- FILE…` plans a clip of every highlight of demos in every format, and judges its frames. With `--json` standard
 * output is only JSON, with the figures of all demos together.
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { ClipFormat } from "../contract/clip-formats.ts";
import { clipFormatNames } from "../contract/clip-formats.ts";
import { type DirectionFigures, figuresOf } from "../scene/direction/direction-figures.ts";
import { type JudgedClip, judgeMatch } from "./direction/judge-match.ts";
import { type ReadMatch, readMatch } from "./direction/read-match.ts";
import { faultList, figureTable } from "./direction/report.ts";
import { eachDemo } from "./each-demo.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    format: { type: "string", multiple: true },
    faults: { type: "boolean", default: false },
  },
});
const formats = clipFormatNames.filter((name) => values.format?.includes(name) ?? true);
const isStrange = (values.format ?? []).some((name) => !formats.some((format) => format === name));
if (positionals.length === 0 || isStrange) {
  console.error(`usage: npm run direction -- [--json] [--faults] [--format ${clipFormatNames.join("|")}]… DEMO…`);
  process.exit(2);
}

const clips = new Map<ClipFormat, JudgedClip[]>(formats.map((format) => [format, []]));
const read: { name: string; figures: Map<ClipFormat, DirectionFigures> }[] = [];
const isFine = await eachDemo(positionals, async ({ path }) => {
  const match = await readMatch(path);
  const name = basename(path);
  const figures = new Map<ClipFormat, DirectionFigures>();
  for (const format of formats) {
    const judged = await judgeInFormat(match, format, name);
    clips.get(format)?.push(...judged);
    figures.set(format, figuresOf(judged.map(({ findings }) => findings)));
    if (values.faults && !values.json) console.log(faultList(`${name}, ${format}`, match.track.record, judged));
  }
  read.push({ name, figures });
  if (!values.json) console.log(figureTable(name, figures));
});
const together = new Map(
  [...clips].map(([format, judged]) => [format, figuresOf(judged.map(({ findings }) => findings))]),
);
if (read.length > 0 && values.json) console.log(JSON.stringify(Object.fromEntries(together), null, 2));
else if (read.length > 1) console.log(figureTable("together", together));
process.exitCode = isFine ? 0 : 1;

async function judgeInFormat(match: ReadMatch, format: ClipFormat, demo: string): Promise<JudgedClip[]> {
  const begun = performance.now();
  const judged = await judgeMatch(match, format, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${demo}, ${format}: ${done} of ${match.highlights.length} clips`);
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  console.error(`${demo}, ${format}: ${judged.length} clips in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return judged;
}
