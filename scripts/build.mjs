/** Builds pages and server into build/. Run by `npm run build`, and by `npm start` when the sources changed. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { sourceHash } from "./source-hash.mjs";

const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** Child processes, each bundled to build/NAME.js beside the server. */
const processes = {
  server: "server.ts",
  "parse-process": "backend/demos/parse-process.ts",
  "flights-thread": "backend/demos/track/flights-thread.ts",
  "render-process": "backend/video/render-process.ts",
  "map-process": "backend/maps/map-process.ts",
  "share-process": "backend/video/share-process.ts",
  "join-process": "backend/video/join-process.ts",
  "loop-process": "backend/video/loop-process.ts",
  "relief-process": "backend/video/relief-process.ts",
  "pictures-process": "backend/video/pictures-process.ts",
  "probe-process": "backend/children/probe-process.ts",
  "initdb-process": "backend/storage/initdb-process.ts",
  operator: "backend/operator/operator.ts",
  clutchcast: "backend/cli/main.ts",
  accuracy: "scripts/accuracy.ts",
  direction: "scripts/direction.ts",
};

/** Files that the server reads beside its bundle. */
const assets = {
  "backend/video/compositor/compositor.wasm": "compositor.wasm",
  "backend/matches/sample": "sample",
  "docs/api.md": "api.md",
};

function run(command, args, env = {}) {
  const result = spawnSync(process.execPath, [command, ...args], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (result.status !== 0) throw new Error(`${command} failed:\n${result.stdout}\n${result.stderr}`);
}

/** Writes .br and .gz beside every text asset, so that the server compresses nothing at run time. */
function precompress(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !/\.(js|css|svg|json|txt|webmanifest)$/.test(entry.name)) continue;
    const bytes = readFileSync(path);
    if (bytes.length < 1024) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** @param {string} root project folder @throws Error with the tool's output when a step fails */
export async function build(root = projectRoot) {
  const hash = sourceHash(root);
  const out = join(root, "build");
  rmSync(out, { recursive: true, force: true });
  run("node_modules/@remix-run/dev/dist/cli.js", ["vite:build"], { NODE_ENV: "production" });
  precompress(join(out, "client"));

  const { build: bundle } = await import("esbuild");
  const entryPoints = Object.entries(processes)
    .filter(([, path]) => existsSync(join(root, path)))
    .map(([name, path]) => ({ out: name, in: join(root, path) }));
  await bundle({
    absWorkingDir: root,
    entryPoints,
    outdir: out,
    bundle: true,
    splitting: true,
    chunkNames: "chunks-[hash]",
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    sourcemap: true,
    external: ["./build/server/index.js", "vite"],
    logLevel: "warning",
  });
  mkdirSync(out, { recursive: true });
  for (const [from, to] of Object.entries(assets)) {
    if (existsSync(join(root, from))) cpSync(join(root, from), join(out, to), { recursive: true });
  }
  writeFileSync(join(out, ".source-hash"), hash);
}

/** True when build/ was made from the current sources. */
export function isBuilt(root = projectRoot) {
  const mark = join(root, "build", ".source-hash");
  return existsSync(mark) && readFileSync(mark, "utf8") === sourceHash(root);
}

/**
 * Builds unless build/ was made from the current sources. Reports so on standard error, because standard output belongs to the program. If
 * it fails, ends the process with the build's output.
 */
export async function buildWhenNeeded(root = projectRoot) {
  if (isBuilt(root)) return;
  console.error("Building…");
  try {
    await build(root);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await build();
