import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Source of each child process. */
const sourceOf = {
  "render-process": "./video/render-process.ts",
  "share-process": "./video/share-process.ts",
  "join-process": "./video/join-process.ts",
  "loop-process": "./video/loop-process.ts",
  "map-process": "./maps/map-process.ts",
  "relief-process": "./video/relief-process.ts",
  "pictures-process": "./video/pictures-process.ts",
  "parse-process": "./demos/parse-process.ts",
  "probe-process": "./children/probe-process.ts",
  "initdb-process": "./storage/initdb-process.ts",
} as const;

/** Source of each thread. */
const threadSourceOf = { "flights-thread": "./demos/track/flights-thread.ts" } as const;

export type ChildProcessName = keyof typeof sourceOf;
export type ThreadName = keyof typeof threadSourceOf;

export interface ChildEntry {
  modulePath: string;
  execArgv: string[];
  /** Variables that this way of starting it needs. */
  environment?: Record<string, string>;
}

/**
 * The arguments with which `startChild` starts one of our child processes.
 * From the TypeScript sources (development, single tests) the child is the source file, loaded through tsx. From the bundle
 * (`build/server.js`, or another child) it is `build/<name>.js` beside it.
 */
export function childProcessEntry(name: ChildProcessName): ChildEntry {
  const bundles = bundleFolder();
  if (bundles) return bundled(bundles, name);
  const tsx = createRequire(import.meta.url).resolve("tsx");
  return {
    modulePath: fileURLToPath(new URL(sourceOf[name], import.meta.url)),
    execArgv: ["--import", pathToFileURL(tsx).href],
    // tsx caches its output among the temporary files; in a folder of the child's own it would compile everything anew.
    environment: { TMPDIR: tmpdir() },
  };
}

/** As `childProcessEntry`, for a thread: `new Worker(modulePath, { execArgv })`. */
export function threadEntry(name: ThreadName): ChildEntry {
  const bundles = bundleFolder();
  if (bundles) return bundled(bundles, name);
  // tsx does not handle threads by default, and its module for `require`, beside this one, cannot register itself.
  const api = createRequire(import.meta.url)
    .resolve("tsx/esm/api")
    .replace(/\.cjs$/, ".mjs");
  return {
    modulePath: fileURLToPath(new URL(threadSourceOf[name], import.meta.url)),
    execArgv: [
      "--import",
      `data:text/javascript,import { register } from ${JSON.stringify(pathToFileURL(api).href)}; register();`,
    ],
  };
}

/** The folder of the bundles; null if children are to run from the sources as well. */
function bundleFolder(): string | null {
  const own = fileURLToPath(import.meta.url);
  if (extname(own) !== ".ts") return dirname(own);
  // Tests run children from their build: each starts a second of processor time sooner.
  return process.env.BUILT_CHILDREN ?? null;
}

function bundled(folder: string, name: ChildProcessName | ThreadName): ChildEntry {
  return { modulePath: join(folder, `${name}.js`), execArgv: [] };
}
