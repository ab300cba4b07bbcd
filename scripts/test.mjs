/**
 * `npm test [-- [--e2e] [-t TITLE] FILE…]`: all set-up, then the tests for every change: units and API; then the built product with a
 * browser, and in parallel without one. `npm run test:long` runs the slow tests, also in a browser, and a short form of every fault
 * (decision 117). Both end with the ten slowest files, the failures, and one line of counts.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { installDependencies } from "./install.mjs";
import { makeMemoryFolder } from "./memory-folder.mjs";
import { requireNode } from "./node-version.mjs";

requireNode();
const { values: options, positionals: files } = parseArgs({
  options: { e2e: { type: "boolean" }, long: { type: "boolean" }, title: { type: "string", short: "t" } },
  allowPositionals: true,
});
const root = dirname(dirname(fileURLToPath(import.meta.url)));
installDependencies(root, { withTests: true });
const { installFonts, installTestPrograms } = await import("./test-programs.mjs");
const programs = installTestPrograms();
if (options.long) installFonts();
const { buildWhenNeeded } = await import("./build.mjs");
await buildWhenNeeded(root);

/** @type {NodeJS.ProcessEnv} */
const surroundings = {
  ...process.env,
  ...programs,
  NODE_ENV: "test",
  BUILT_CHILDREN: join(root, "build"),
  // Playwright's compile cache; among the temporary files it would be deleted with them.
  PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(root, "node_modules/.cache/clutchcast/playwright"),
};
const memoryFolder = options.long || process.env.TMPDIR ? null : makeMemoryFolder();
const inMemory = memoryFolder ? { environment: { TMPDIR: memoryFolder } } : {};

const results = join(root, "test-results");
mkdirSync(results, { recursive: true });
const runs = [];
if (options.long) {
  // One after the other, since each uses two whole cores.
  runs.push(await runVitest("vitest.long.config.ts"));
  runs.push(await runPlaywright({ environment: { LONG_TESTS: "1" } }));
} else {
  if (!options.e2e) runs.push(await runVitest("vitest.config.ts", inMemory));
  // In parallel: they mostly wait for servers and renders.
  runs.push(
    ...(await Promise.all([
      runPlaywright(inMemory),
      runVitest("vitest.e2e.config.ts", { ...inMemory, isAside: true }),
    ])),
  );
}

const slowest = runs.flatMap(({ seconds }) => Object.entries(seconds)).sort(([, a], [, b]) => b - a);
console.log("The slowest files:");
for (const [path, seconds] of slowest.slice(0, 10)) {
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${relative(root, path)}`);
}
/** Repeated at the end, because the first run's failures are far above, or cut off a build service's log. */
for (const failure of runs.flatMap(({ failures }) => failures)) console.log(failure);
const sum = (kind) => runs.reduce((total, run) => total + run[kind], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed${sum("skipped") ? `, ${sum("skipped")} skipped` : ""}`);
if ((files.length > 0 || options.title) && sum("passed") + sum("failed") === 0) {
  console.error("No test ran: nothing has that file or title.");
  process.exit(1);
}
process.exit(runs.find(({ status }) => status !== 0)?.status ?? 0);

/**
 * Runs Vitest or Playwright to its end.
 * @param {string[]} command Node's arguments
 * @param {string[]} reports files that the run writes; read as JSON
 * @param {{ environment?: Record<string, string>, isAside?: boolean }} [lane] with `isAside` its output is printed as a whole when it has
 * ended
 * @returns its exit code, and its reports if all of them exist
 */
async function run(command, reports, { environment = {}, isAside = false } = {}) {
  for (const report of reports) rmSync(report, { force: true });
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: isAside ? ["ignore", "pipe", "pipe"] : "inherit",
    env: { ...surroundings, ...environment },
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => said.push(bytes));
  const [status] = await once(child, "close");
  process.stdout.write(Buffer.concat(said));
  try {
    return { status: status ?? 1, reports: reports.map((report) => JSON.parse(readFileSync(report, "utf8"))) };
  } catch {
    return { status: status || 1, reports: null };
  }
}

const nothingRead = { passed: 0, failed: 0, skipped: 0, failures: [], seconds: {} };

async function runVitest(config, lane = {}) {
  const output = join(results, `${config}.json`);
  const times = join(results, `${config}.seconds.json`);
  const { status, reports } = await run(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config",
      config,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${output}`,
      "--reporter=./scripts/file-seconds-reporter.mjs",
      ...(options.title ? ["-t", options.title] : []),
      ...(files.length ? ["--passWithNoTests", ...files] : []),
    ],
    [output, times],
    { ...lane, environment: { ...lane.environment, FILE_SECONDS: times } },
  );
  if (!reports) return { ...nothingRead, status };
  const [report, seconds] = reports;
  return {
    status,
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    seconds,
    failures: report.testResults.flatMap((file) => {
      const failed = file.assertionResults.filter((test) => test.status === "failed");
      if (failed.length === 0) return file.status === "failed" ? [failure(file.name, "", file.message)] : [];
      return failed.map((test) => failure(file.name, `: ${test.fullName}`, test.failureMessages.join("\n")));
    }),
  };
}

async function runPlaywright(lane) {
  const output = join(results, "playwright.json");
  const { status, reports } = await run(
    [
      "node_modules/playwright/cli.js",
      "test",
      "--config",
      "tests/e2e/playwright.config.ts",
      ...(options.title ? ["--grep", options.title] : []),
      ...(files.length || options.title ? ["--pass-with-no-tests", ...files] : []),
    ],
    [output],
    lane,
  );
  if (!reports) return { ...nothingRead, status };
  const [report] = reports;
  const specs = report.suites.flatMap(specsOf);
  const seconds = {};
  for (const { file, tests } of specs) {
    const path = join(report.config.rootDir, file);
    const milliseconds = tests.flatMap(({ results }) => results).reduce((total, { duration }) => total + duration, 0);
    seconds[path] = (seconds[path] ?? 0) + milliseconds / 1000;
  }
  return {
    status,
    passed: report.stats.expected,
    failed: report.stats.unexpected,
    skipped: report.stats.skipped,
    seconds,
    failures: [
      ...report.errors.map(({ message, location }) => failure(location?.file ?? output, "", message)),
      ...specs
        .filter(({ ok }) => !ok)
        .map(({ file, title, tests }) => {
          const errors = tests.flatMap(({ results }) => results).flatMap((result) => result.errors);
          const messages = errors.map(({ message }) => message).join("\n");
          return failure(join(report.config.rootDir, file), `: ${title}`, messages);
        }),
    ],
  };
}

/** Playwright's tests, which are in nested suites. */
function specsOf({ specs, suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** A few lines about a failed test, or a file that could not be run. */
function failure(path, title, message = "") {
  const opening = stripVTControlCharacters(message).split("\n").slice(0, 12);
  return [`FAILED ${relative(root, path)}${title}`, ...opening.map((line) => `  ${line}`)].join("\n");
}
