import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dependencyHash } from "./source-hash.mjs";

/**
 * Installs the dependencies when they are missing or the lock file changed: those for building and running, and with `withTests` those for
 * tests and development (`devDependencies`, as large again). `npm ci` comes first; if the registry lacks other platforms' binaries that the
 * lock file names, it fails and `npm install` succeeds. Ends the process with a sentence when they cannot be installed, or cannot run on
 * this machine.
 * @param {string} root project folder
 * @param {{ withTests?: boolean }} [options]
 */
export function installDependencies(root, { withTests = false } = {}) {
  const mark = join(root, "node_modules", ".clutchcast-dependencies");
  const hash = dependencyHash(root);
  const installed = existsSync(mark) ? readFileSync(mark, "utf8") : "";
  if (installed === `${hash} with tests` || (installed === hash && !withTests)) return;
  console.log("Installing dependencies, this takes a minute or two…");
  const includesTests = withTests || hasTestPackages(root);
  // Explicit, because NODE_ENV and the user's npm configuration may differ.
  const kinds = ["--include=optional", includesTests ? "--include=dev" : "--omit=dev"];
  const npm = (args) =>
    spawnSync("npm", [...args, ...kinds, "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
      shell: process.platform === "win32",
    });
  let result = npm(["ci"]);
  if (result.status !== 0) result = npm(["install", "--no-save"]);
  const fault =
    result.status === 0
      ? parserFault(root)
      : `The dependencies could not be installed:\n${result.stderr ?? result.error}`;
  if (fault) {
    console.error(fault);
    process.exit(1);
  }
  writeFileSync(mark, includesTests ? `${hash} with tests` : hash);
}

/** A start keeps packages that were installed for tests, by `npm test` or by hand: tests may be running. */
export function hasTestPackages(root) {
  return existsSync(join(root, "node_modules", "vitest"));
}

/**
 * Why the demo parser, a native program, does not run on this machine.
 * @param {string} root project folder
 * @returns {string | null} a sentence, null if it runs
 */
export function parserFault(root) {
  const load = ["--input-type=module", "--eval", "await import('@laihoe/demoparser2')"];
  const loaded = spawnSync(process.execPath, load, {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (loaded.status === 0) return null;
  if (process.platform === "linux" && process.arch === "x64") {
    const reason = /^\w*Error:.*$/m.exec(loaded.stderr ?? "")?.[0] ?? loaded.error ?? "no reason is told";
    return `Clutchcast cannot run on this machine: the demo parser @laihoe/demoparser2 cannot be loaded (${reason}). It needs glibc, which Alpine does not have: there the container runs. After a download that broke off, delete node_modules and start again.`;
  }
  return `Clutchcast cannot run on this machine: the demo parser @laihoe/demoparser2 has no program for ${process.platform} ${process.arch}. It has one for Linux on x64, on which the container runs as well.`;
}
