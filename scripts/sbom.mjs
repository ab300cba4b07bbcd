/**
 * `npm run sbom`: the software bill of materials for production, as CycloneDX JSON on standard output. `--ffmpeg FOLDER` adds what
 * scripts/build-ffmpeg.sh has built there.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { lockedPackages } from "./dependencies.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * npm's own list without packages that only building and testing need. npm's `--omit=dev` (11.19) is not used: it omits two thirds of the
 * production packages, those that a development package also depends on.
 */
function billOfMaterials(ffmpegFolder) {
  const npm = spawnSync("npm", ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 256 * 1024 ** 2,
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) throw new Error(`npm sbom failed; it needs npm 10 or newer.\n${npm.stderr}`);
  const bill = JSON.parse(npm.stdout);
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const inProduction = new Set(
    lockedPackages(lock)
      .filter(({ production }) => production)
      .map(({ name, version }) => `${name}@${version}`),
  );
  const application = bill.metadata.component["bom-ref"];
  const isKept = (reference) => reference === application || inProduction.has(reference);
  return {
    ...bill,
    components: [
      ...bill.components.filter((component) => isKept(`${component.name}@${component.version}`)),
      ...(ffmpegFolder === undefined ? [] : ["ffmpeg", "x264"].map((name) => ofDebian(ffmpegFolder, name))),
    ],
    dependencies: bill.dependencies
      .filter(({ ref }) => isKept(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  };
}

/** A program or library that the image has from Debian's sources. */
function ofDebian(folder, name) {
  const version = readFileSync(join(folder, `VERSION.${name}`), "utf8").trim();
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=source`;
  const licenses = [{ license: { id: "GPL-2.0-or-later" } }];
  return { "bom-ref": purl, type: name === "ffmpeg" ? "application" : "library", name, version, purl, licenses };
}

const { values } = parseArgs({ options: { ffmpeg: { type: "string" } } });
process.stdout.write(`${JSON.stringify(billOfMaterials(values.ffmpeg), null, 2)}\n`);
