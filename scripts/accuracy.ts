/**
 * `npm run accuracy -- FILE…` compares our findings in demos with those of an independent analyzer.
 * `npm run accuracy -- --write` does so for the demos of the tests and writes docs/accuracy.md.
 */
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseDemo } from "../backend/demos/record/parse-demo.ts";
import { unpackDemo } from "../backend/demos/unpack/unpack-demo.ts";
import { type Comparison, compare } from "./accuracy/agreement.ts";
import { demoSection, introduction } from "./accuracy/report.ts";
import { runAnalyzer } from "./accuracy/run-analyzer.ts";
import { eachDemo } from "./each-demo.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const demoFolders = ["tests/fixtures/demos", "backend/matches/sample", "tests/fixtures/demos/cases"];
const maxBytes = 2 ** 31;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean", default: false } },
});
if (positionals.length === 0 && !values.write) {
  console.error("usage: npm run accuracy -- FILE…   or   npm run accuracy -- --write");
  process.exit(2);
}

const sections: string[] = [];
let unexplained = 0;
const isFine = await eachDemo(positionals.length > 0 ? positionals : await bundledDemos(), async ({ path: demo }) => {
  const comparison = await compareDemo(demo);
  unexplained += comparison.differences.filter(({ why }) => why === null).length;
  const section = demoSection(basename(demo), comparison);
  sections.push(section);
  console.log(section);
});
if (values.write && isFine) await writeFile(join(root, "docs/accuracy.md"), [introduction, ...sections].join("\n"));
if (unexplained > 0) console.error(`${unexplained} differences are not explained.`);
process.exitCode = isFine && unexplained === 0 ? 0 : 1;

async function bundledDemos(): Promise<string[]> {
  const found = await Promise.all(
    demoFolders.map(async (folder) =>
      (await readdir(join(root, folder))).sort().map((name) => join(root, folder, name)),
    ),
  );
  return found.flat().filter((path) => /\.dem(\.\w+)?$/.test(path));
}

async function compareDemo(file: string): Promise<Comparison> {
  const folder = await mkdtemp(join(tmpdir(), "accuracy-"));
  try {
    const target = join(folder, "demo.dem");
    const { path } = await unpackDemo(file, target, { maxBytes });
    if (path !== target) await symlink(path, target);
    const { record } = await parseDemo(target);
    return compare(record, await runAnalyzer(target));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
