/** `npm test`: all set-up, then every test; ends with what failed and one line that counts. Arguments go to vitest. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { installDependencies } from "./install.mjs";
import { requireNode } from "./node-version.mjs";

requireNode();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
installDependencies(root, { withTests: true });
const { installTestPrograms } = await import("./test-programs.mjs");
const programs = installTestPrograms();
const { build, isBuilt } = await import("./build.mjs");
if (!isBuilt(root)) {
  console.log("Building…");
  await build(root);
}

const results = join(root, "test-results");
mkdirSync(results, { recursive: true });
const wanted = process.argv.includes("--e2e") ? ["vitest.e2e.config.ts"] : ["vitest.config.ts", "vitest.e2e.config.ts"];
const filters = process.argv.slice(2).filter((argument) => argument !== "--e2e");
const total = { passed: 0, failed: 0, skipped: 0 };
/** Repeated at the end: the first run's failures are far above by then, or cut off a build service's log. */
const failures = [];
let status = 0;
for (const config of wanted) {
  const output = join(results, `${config}.json`);
  rmSync(output, { force: true });
  const run = spawnSync(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config",
      config,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${output}`,
      ...(filters.length ? ["--passWithNoTests", ...filters] : []),
    ],
    { cwd: root, stdio: "inherit", env: { ...process.env, ...programs, NODE_ENV: "test" } },
  );
  status ||= run.status ?? 1;
  try {
    const report = JSON.parse(readFileSync(output, "utf8"));
    total.passed += report.numPassedTests;
    total.failed += report.numFailedTests;
    total.skipped += report.numPendingTests + report.numTodoTests;
    failures.push(...failuresOf(report));
  } catch {
    status ||= 1;
  }
}
for (const failure of failures) console.log(failure);
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ""}`);
process.exit(status);

/** A few lines for every failed test, and for every file that could not be run. */
function failuresOf(report) {
  return report.testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const failed = file.assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return file.status === "failed" ? [`FAILED ${path}\n${opening(file.message)}`] : [];
    return failed.map((test) => `FAILED ${path}: ${test.fullName}\n${opening(test.failureMessages.join("\n"))}`);
  });
}

function opening(message) {
  return message
    .split("\n")
    .slice(0, 12)
    .map((line) => `  ${line}`)
    .join("\n");
}
