/** `npm test`: all set-up, then every test; ends with one line that counts them. Arguments go to vitest. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installDependencies } from "./install.mjs";
import { requireNode } from "./node-version.mjs";

requireNode();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
installDependencies(root);
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
  } catch {
    status ||= 1;
  }
}
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ""}`);
process.exit(status);
