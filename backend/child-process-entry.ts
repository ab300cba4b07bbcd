import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Where each child process begins in the sources. */
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

/** Where each thread begins in the sources. */
const threadSourceOf = { "flights-thread": "./demos/track/flights-thread.ts" } as const;

export type ChildProcessName = keyof typeof sourceOf;
export type ThreadName = keyof typeof threadSourceOf;

export interface ChildEntry {
  modulePath: string;
  execArgv: string[];
  /** Variables the child needs because of how it is started. */
  environment?: Record<string, string>;
}

/**
 * What to hand to `startChild` to start one of our child processes.
 *
 * Run from the TypeScript sources (development, single tests) the child is the source file, loaded through tsx. Run from the
 * bundle (`build/server.js`, or another child) it is the sibling `build/<name>.js`.
 */
export function childProcessEntry(name: ChildProcessName): ChildEntry {
  const bundles = bundleFolder();
  if (bundles) return bundled(bundles, name);
  const tsx = createRequire(import.meta.url).resolve("tsx");
  return {
    modulePath: fileURLToPath(new URL(sourceOf[name], import.meta.url)),
    execArgv: ["--import", pathToFileURL(tsx).href],
    // tsx keeps what it compiled among the temporary files; in a folder of the child's own it would compile all of it anew.
    environment: { TMPDIR: tmpdir() },
  };
}

/** As `childProcessEntry`, for a thread: `new Worker(modulePath, { execArgv })`. */
export function threadEntry(name: ThreadName): ChildEntry {
  const bundles = bundleFolder();
  if (bundles) return bundled(bundles, name);
  // tsx leaves threads alone unless it is asked. Its module for `require`, beside this one, cannot register itself.
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

/** Where the bundles are; null when children are to be run from the sources as well. */
function bundleFolder(): string | null {
  const own = fileURLToPath(import.meta.url);
  if (extname(own) !== ".ts") return dirname(own);
  // Tests run children from the build that was made for them: each begins a second of processor time sooner.
  return process.env.BUILT_CHILDREN ?? null;
}

function bundled(folder: string, name: ChildProcessName | ThreadName): ChildEntry {
  return { modulePath: join(folder, `${name}.js`), execArgv: [] };
}
