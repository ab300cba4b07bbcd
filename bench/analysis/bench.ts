/** The cost of analysing a demo, compared with the parser's own calls and an independent analyzer. See README.md. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { unpackDemo } from "../../backend/demos/unpack/unpack-demo.ts";
import { type Measured, measureProcess } from "./measure-process.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const packedDemo = process.env.DEMO ?? join(root, "tests/fixtures/demos/match-de_dust2-overtime.dem.zst");
const rounds = Number(process.env.ROUNDS ?? 5);

const require = createRequire(import.meta.url);
const { getBinaryPath } = require("@akiver/cs-demo-analyzer/dist/platform.js") as { getBinaryPath: () => string };

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Bundles the programs like the product, so that nothing is compiled during the measurement. */
async function bundle(): Promise<(name: string) => string> {
  const outdir = join(root, ".cache/bench-analysis");
  await build({
    entryPoints: [
      "bench/analysis/analyse-process.ts",
      "bench/analysis/queries-process.ts",
      "bench/analysis/record-queries.ts",
      "bench/analysis/import-process.ts",
      "backend/demos/parse-process.ts",
      "backend/demos/track/flights-thread.ts",
    ].map((path) => join(root, path)),
    outdir,
    entryNames: "[name]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
  });
  return (name) => join(outdir, `${name}.js`);
}

const folder = mkdtempSync(join(tmpdir(), "clutchcast-bench-"));
try {
  const program = await bundle();
  const { path: demo } = await unpackDemo(packedDemo, join(folder, "demo.dem"), { maxBytes: 2 ** 31 });
  const track = join(folder, "track.gz");
  const allQueries = join(folder, "queries.json");
  const deathQuery = join(folder, "death.json");
  await measureProcess(process.execPath, [program("record-queries"), demo, track, allQueries]);
  writeFileSync(deathQuery, JSON.stringify([["parseEvent", [demo, "player_death"]]]));

  const contestants: Record<string, () => Promise<Measured>> = {
    "our import of the packed file": () =>
      measureProcess(process.execPath, [program("import-process"), packedDemo, mkdtempSync(join(folder, "import-"))]),
    "our analysis": () => measureProcess(process.execPath, [program("analyse-process"), demo, track]),
    "the parser's own calls for the same": () =>
      measureProcess(process.execPath, [program("queries-process"), allQueries]),
    "the parser's bare pass: parseEvent('player_death')": () =>
      measureProcess(process.execPath, [program("queries-process"), deathQuery]),
    "cs-demo-analyzer, JSON": () =>
      measureProcess(getBinaryPath(), [`-demo-path=${demo}`, `-output=${folder}`, "-format=json"]),
  };
  const measured = new Map<string, Measured[]>(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contestants)) measured.get(name)!.push(await run());
  }

  const ours = { import: measured.get("our import of the packed file")!, analysis: measured.get("our analysis")! };
  /** Median of a figure, and medians over the rounds of our own figure divided by it; null when the system does not tell. */
  const compared = (runs: Measured[], figure: (run: Measured) => number | null) => {
    const values = runs.map(figure).filter((value) => value !== null);
    if (values.length < runs.length) return null;
    const times = (own: Measured[]) =>
      median(values.map((value, round) => (figure(own[round]!) ?? Number.NaN) / value));
    return { median: median(values), importTimes: times(ours.import), analysisTimes: times(ours.analysis) };
  };
  const result = {
    demo: basename(packedDemo),
    unpackedBytes: statSync(demo).size,
    cores: cpus().length,
    load: loadavg()[0],
    rounds,
    trackBytes: statSync(track).size,
    processes: [...measured].map(([name, runs]) => ({
      name,
      wallSeconds: compared(runs, (run) => run.seconds),
      cpuSeconds: compared(runs, (run) => run.cpuSeconds),
      peakBytes: compared(runs, (run) => run.peakBytes),
    })),
  };

  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const seconds = (value: number) => `${value.toFixed(2)} s`;
  const times = (value: number) => `${value.toFixed(2)} ×`;
  const cells = (figure: ReturnType<typeof compared>, unit: (value: number) => string) =>
    figure ? `${unit(figure.median)} | ${times(figure.importTimes)} | ${times(figure.analysisTimes)}` : "? | ? | ?";
  const machine = `${result.cores} cores, load ${result.load?.toFixed(1)}`;
  console.log(`${result.demo}, ${megabytes(result.unpackedBytes)} unpacked; ${machine}; medians of ${rounds} rounds\n`);
  const ratios = "import is | analysis is";
  console.log(`| process | wall | ${ratios} | processor | ${ratios} | peak memory | ${ratios} |`);
  console.log(`|---|${"---:|".repeat(9)}`);
  for (const { name, wallSeconds, cpuSeconds, peakBytes } of result.processes) {
    const row = [name, cells(wallSeconds, seconds), cells(cpuSeconds, seconds), cells(peakBytes, megabytes)];
    console.log(`| ${row.join(" | ")} |`);
  }
  console.log(`\nReplay track: ${(result.trackBytes / 1e6).toFixed(1)} MB`);
  const results = new URL("../results/", import.meta.url);
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL("analysis.json", results), `${JSON.stringify(result, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
