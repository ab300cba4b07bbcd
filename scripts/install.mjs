import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dependencyHash } from "./source-hash.mjs";

/**
 * Installs the dependencies when they are missing or the lock file changed. `npm ci` first; where the registry lacks the
 * binaries of other platforms that the lock file names, `npm ci` refuses and `npm install` does.
 */
export function installDependencies(root) {
  const mark = join(root, "node_modules", ".clutchcast-dependencies");
  const wanted = dependencyHash(root);
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  console.log("Installing dependencies, this takes a minute or two…");
  const npm = (args) =>
    // --include=dev: the build tools are needed even where NODE_ENV says production.
    spawnSync("npm", [...args, "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
      shell: process.platform === "win32",
    });
  let result = npm(["ci"]);
  if (result.status !== 0) result = npm(["install", "--no-save"]);
  if (result.status !== 0) {
    console.error(`The dependencies could not be installed:\n${result.stderr}`);
    process.exit(1);
  }
  writeFileSync(mark, wanted);
}
