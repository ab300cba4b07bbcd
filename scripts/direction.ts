/**
 * `npm run direction -- FILE…` plans a clip of every highlight of demos and judges what is drawn of it, in every format.
 * With `--json` the figures of all demos together are printed as JSON, and nothing else on standard output.
 */
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ClipFormat } from "../contract/clip-formats.ts";
import { clipFormats } from "../contract/clip-formats.ts";
import { type DirectionFigures, figuresOf } from "../scene/direction/direction-figures.ts";
import { type JudgedClip, judgeMatch } from "./direction/judge-match.ts";
import { type ReadMatch, readMatch } from "./direction/read-match.ts";
import { faultList, figureTable } from "./direction/report.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    format: { type: "string", multiple: true },
    faults: { type: "boolean", default: false },
  },
});
const formats = Object.keys(clipFormats).filter((name): name is ClipFormat => values.format?.includes(name) ?? true);
if (positionals.length === 0 || formats.length === 0) {
  console.error(
    `usage: npm run direction -- [--json] [--faults] [--format ${Object.keys(clipFormats).join("|")}]… FILE…`,
  );
  process.exit(2);
}

const clips = new Map<ClipFormat, JudgedClip[]>(formats.map((format) => [format, []]));
for (const file of positionals) {
  const match = await readMatch(resolve(file));
  const ofDemo = new Map<ClipFormat, DirectionFigures>();
  for (const format of formats) {
    const judged = await judgeInFormat(match, format, basename(file));
    clips.get(format)?.push(...judged);
    ofDemo.set(format, figuresOf(judged.map(({ findings }) => findings)));
    if (values.faults && !values.json)
      console.log(faultList(`${basename(file)}, ${format}`, match.track.record, judged));
  }
  if (!values.json && positionals.length > 1) console.log(figureTable(basename(file), ofDemo));
}
const together = new Map(
  [...clips].map(([format, judged]) => [format, figuresOf(judged.map(({ findings }) => findings))]),
);
if (values.json) console.log(JSON.stringify(Object.fromEntries(together), null, 2));
else console.log(figureTable(positionals.length > 1 ? "together" : basename(positionals[0] ?? ""), together));

async function judgeInFormat(match: ReadMatch, format: ClipFormat, demo: string): Promise<JudgedClip[]> {
  const begun = performance.now();
  const judged = await judgeMatch(match, format, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${demo}, ${format}: ${done} of ${match.highlights.length} clips`);
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  console.error(`${demo}, ${format}: ${judged.length} clips in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return judged;
}
