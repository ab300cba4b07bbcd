import { type ChildProcess, fork } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);

/** Starts a TypeScript source as a separate process with a message channel. */
export function forkSource(
  source: URL,
  parameters: string[],
  environment: Partial<NodeJS.ProcessEnv> = {},
): ChildProcess {
  const program = programOf(source);
  return fork(program.at(-1) ?? "", parameters, {
    execArgv: program.slice(0, -1),
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
}

/**
 * Node's arguments to run a TypeScript source, the source last. If there is a build for the tests the source is bundled first, like the
 * product's own children: each start then takes two seconds of processor time less than through tsx. The source must not look for files
 * beside itself.
 */
export function programOf(source: URL): string[] {
  const path = fileURLToPath(source);
  const { BUILT_CHILDREN } = process.env;
  if (BUILT_CHILDREN) return [bundleOf(path, BUILT_CHILDREN)];
  return ["--import", pathToFileURL(require.resolve("tsx")).href, path];
}

/** Bundles made by this process, by source. */
const bundles = new Map<string, string>();

function bundleOf(path: string, folder: string): string {
  const known = bundles.get(path);
  if (known) return known;
  const { buildSync } = require("esbuild") as typeof import("esbuild");
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    write: false,
  });
  const bundle = join(folder, `testing-${basename(path, ".ts")}.js`);
  // Another test process may be running it.
  const unfinished = `${bundle}.${process.pid}`;
  for (const { contents } of outputFiles) writeFileSync(unfinished, contents);
  renameSync(unfinished, bundle);
  bundles.set(path, bundle);
  return bundle;
}
