import { createRequire } from "node:module";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Where each child process begins in the sources. */
const sourceOf = {
  "render-process": "./video/render-process.ts",
  "parse-process": "./demos/parse-process.ts",
  "initdb-process": "./storage/initdb-process.ts",
} as const;

export type ChildProcessName = keyof typeof sourceOf;

/**
 * What to hand to `child_process.fork` to start one of our child processes: `fork(modulePath, [], { execArgv })`.
 *
 * Run from the TypeScript sources (development, tests) the child is the source file, loaded through tsx. Run from the
 * bundle (`build/server.js`, or another child) it is the sibling `build/<name>.js`.
 */
export function childProcessEntry(name: ChildProcessName): { modulePath: string; execArgv: string[] } {
  if (extname(fileURLToPath(import.meta.url)) === ".ts") {
    const tsx = createRequire(import.meta.url).resolve("tsx");
    return {
      modulePath: fileURLToPath(new URL(sourceOf[name], import.meta.url)),
      execArgv: ["--import", pathToFileURL(tsx).href],
    };
  }
  return { modulePath: fileURLToPath(new URL(`./${name}.js`, import.meta.url)), execArgv: [] };
}
