import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Sources of the build. */
const sources = [
  "app",
  "backend",
  "contract",
  "replay",
  "scene",
  "public",
  "docs/api.md",
  "server.ts",
  "remix.config.js",
  "vite.config.ts",
  "tsconfig.json",
  "package-lock.json",
  "scripts/build.mjs",
  "scripts/accuracy",
  "scripts/accuracy.ts",
  "scripts/direction",
  "scripts/direction.ts",
];

/** SHA-256 over the paths and contents of every source file below `root`. Large binaries count by size only. */
export function sourceHash(root) {
  const hash = createHash("sha256");
  const add = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) add(`${path}/${name}`);
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(`${path}\0`);
      hash.update(stat.size > 1_000_000 ? String(stat.size) : readFileSync(join(root, path)));
    }
  };
  for (const source of sources) add(source);
  return hash.digest("hex");
}

/** SHA-256 of the lock file and the declared dependencies, which determine node_modules. */
export function dependencyHash(root) {
  const hash = createHash("sha256");
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  hash.update(JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]));
  const lock = join(root, "package-lock.json");
  if (statSync(lock, { throwIfNoEntry: false })) hash.update(readFileSync(lock));
  return hash.digest("hex");
}
