/** `npm run faults`: installs and builds when needed, then runs the harness. Arguments go to tests/faults/run.ts. */
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { installDependencies } from "./install.mjs";
import { requireNode } from "./node-version.mjs";

requireNode();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
installDependencies(root, { withTests: true });
const { installVideoPrograms } = await import("./test-programs.mjs");
installVideoPrograms();
const { buildWhenNeeded } = await import("./build.mjs");
await buildWhenNeeded(root);
const run = spawn(process.execPath, ["--import", "tsx", "tests/faults/run.ts", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
// The harness ends what it started; a terminal signals it directly.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => run.kill("SIGTERM"));
run.on("exit", (code) => process.exit(code ?? 1));
