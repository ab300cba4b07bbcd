/** `npm run bench [-- NAME …]`: runs bench/NAME/bench.ts for each given name, or all of them. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const folder = new URL("./", import.meta.url).pathname;
const known = readdirSync(folder).filter((name) => existsSync(`${folder}${name}/bench.ts`));
/**
 * They time functions of this project in their own process, so they are bundled like the product: tsx would add a call to every creation of
 * a function, even in each frame, to restore its name.
 */
const bundled = new Set(["rendering"]);
/** Sources find files beside themselves, not beside the bundle. */
const ownPlaces: Plugin = {
  name: "own-places",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length) {
  console.error(`There is no bench “${unknown[0]}”. There are: ${known.join(", ")}.`);
  process.exit(1);
}
for (const name of asked.length ? asked : known) {
  console.log(`\n# ${name}\n`);
  const source = `${folder}${name}/bench.ts`;
  const program = bundled.has(name) ? [await bundleOf(source, name)] : ["--import", "tsx", source];
  const run = spawnSync(process.execPath, program, { stdio: "inherit" });
  if (run.status !== 0) process.exit(run.status ?? 1);
}

async function bundleOf(source: string, name: string): Promise<string> {
  const results = `${folder}results/`;
  mkdirSync(results, { recursive: true });
  const outfile = `${results}${name}.mjs`;
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    plugins: [ownPlaces],
  });
  return outfile;
}
