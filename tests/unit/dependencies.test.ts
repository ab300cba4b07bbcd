import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { faultsOf, licenceList, lockedPackages } from "../../scripts/dependencies.mjs";

const root = new URL("../../", import.meta.url).pathname;
const readJson = (name: string) => JSON.parse(readFileSync(`${root}${name}`, "utf8"));

type Json = ReturnType<typeof JSON.parse>;

/** Faults after a change of the real lock file or manifest. */
function faultsAfter(change: (lock: Json, manifest: Json) => void): string[] {
  const lock = readJson("package-lock.json");
  const manifest = readJson("package.json");
  change(lock, manifest);
  return faultsOf(lock, manifest);
}

test("the lock file keeps to the rules, and the list of licences is made from it", () => {
  expect(faultsOf(readJson("package-lock.json"), readJson("package.json"))).toEqual([]);
  expect(readFileSync(`${root}docs/licences.md`, "utf8")).toBe(licenceList(readJson("package-lock.json")));
  expect(lockedPackages(readJson("package-lock.json")).length).toBeGreaterThan(500);
});

test("a production package with an install script of its own is refused", () => {
  const faults = faultsAfter(({ packages }) => {
    packages["node_modules/hono"].hasInstallScript = true;
  });
  expect(faults).toEqual([expect.stringMatching(/^hono@.* brings an install script/)]);
});

test("a build tool's agreed install script is refused in production", () => {
  const faults = faultsAfter(({ packages }) => {
    packages["node_modules/hono"].dependencies = { esbuild: "*" };
  });
  expect(faults).toEqual([expect.stringMatching(/^esbuild@.* brings an install script/)]);
});

test("a package without a checksum, from an address or from a repository is refused", () => {
  const faults = faultsAfter(({ packages }, manifest) => {
    delete packages["node_modules/hono"].integrity;
    packages["node_modules/pg"].resolved = "https://registry.example/pg.tgz";
    packages["node_modules/isbot"].version = "github:someone/isbot";
    manifest.dependencies.zod = "git+ssh://git@example.org/zod.git";
  });
  expect(faults).toEqual([
    expect.stringContaining("has no SHA-512 checksum"),
    expect.stringContaining("is no version of a registry"),
    expect.stringContaining("names the address it was loaded from"),
    expect.stringContaining("are not those of the lock file"),
    expect.stringContaining("not from the registry"),
  ]);
});

test("a licence that nobody agreed to is refused in production only", () => {
  const faults = faultsAfter(({ packages }) => {
    packages["node_modules/hono"].license = "AGPL-3.0";
    packages["node_modules/vitest"].license = "AGPL-3.0";
  });
  expect(faults).toEqual([expect.stringMatching(/^hono@.*“AGPL-3\.0”/)]);
});

test("a risky package asked for in more than one version is refused", () => {
  const faults = faultsAfter(({ packages }, manifest) => {
    for (const { dependencies } of [manifest, packages[""]]) dependencies.kysely = `^${dependencies.kysely}`;
  });
  expect(faults).toEqual([expect.stringContaining("kysely must be asked for in exactly one version")]);
});

test("the list of materials names every production package with its checksum", () => {
  const run = spawnSync(process.execPath, ["scripts/sbom.mjs"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  const materials = JSON.parse(run.stdout);
  expect(materials.bomFormat).toBe("CycloneDX");
  const named = new Set(materials.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl)));
  const wanted = lockedPackages(readJson("package-lock.json"))
    .filter(({ production }) => production)
    .map(({ name, version }) => `pkg:npm/${name}@${version}`);
  expect([...named].sort()).toEqual([...new Set(wanted)].sort());
  expect(materials.components.every(({ hashes }: { hashes?: unknown[] }) => hashes?.length)).toBe(true);
});

test("the image's list names its ffmpeg and x264 as well, by the versions of their sources", () => {
  const folder = mkdtempSync(join(tmpdir(), "ffmpeg-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "VERSION.ffmpeg"), "7:5.1.7-0+deb12u1\n");
  writeFileSync(join(folder, "VERSION.x264"), "2:0.164.3095+gitbaee400-3\n");
  const run = spawnSync(process.execPath, ["scripts/sbom.mjs", "--ffmpeg", folder], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  const { components } = JSON.parse(run.stdout) as { components: { name: string; version: string; purl: string }[] };
  expect(components.filter(({ purl }) => purl.startsWith("pkg:deb/"))).toMatchObject([
    { name: "ffmpeg", version: "7:5.1.7-0+deb12u1", purl: "pkg:deb/debian/ffmpeg@7%3A5.1.7-0%2Bdeb12u1?arch=source" },
    { name: "x264", version: "2:0.164.3095+gitbaee400-3" },
  ]);
});

test("every production package is named by what runs in production", () => {
  const folders = ["app", "backend", "contract", "replay", "scene", "scripts"];
  const files = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const sources = [...files, "server.ts"]
    .filter((name) => /\.(tsx?|mjs|css)$/.test(name) && !/\.test\.|\/testing\//.test(name))
    .map((name) => readFileSync(`${root}${name}`, "utf8"))
    .join("\n");
  const { dependencies } = readJson("package.json") as { dependencies: Record<string, string> };
  // Fonts of one family are named by their script.
  const named = Object.keys(dependencies).filter((name) => !name.startsWith("@fontsource"));
  // Whole names: that of one package begins that of another, @remix-run/serve that of @remix-run/server-runtime.
  const isNamed = (name: string) => new RegExp(`${name.replaceAll(".", "\\.")}(?![\\w.-])`).test(sources);
  expect(isNamed("@remix-run/serve")).toBe(false);
  expect(named.filter((name) => !isNamed(name))).toEqual([]);
});
