import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { unpackDemo } from "../unpack/unpack-demo.ts";

const folder = new URL("../../../tests/fixtures/demos/", import.meta.url);
const sampleFolder = new URL("../../matches/sample/", import.meta.url);

/** The demos of tests/fixtures/demos and the product's sample, as stored. */
export const demoFixtures = {
  "highlights-reel": new URL("highlights-reel.dem.gz", folder),
  "overtime-reconnect": new URL("overtime-reconnect.dem.gz", folder),
  "match-de_mirage": new URL("match-de_mirage.dem.bz2", folder),
  "match-de_nuke": new URL("match-de_nuke.dem.zst", folder),
  "match-de_dust2-overtime": new URL("match-de_dust2-overtime.dem.zst", folder),
  "sample-match": new URL("sample-match.dem.zst", sampleFolder),
} as const;

export type DemoFixture = keyof typeof demoFixtures;

export function fixturePath(name: DemoFixture): string {
  return fileURLToPath(demoFixtures[name]);
}

/** Known contents of a fixture; see tests/fixtures/README.md. */
export function expectedOf<T>(name: DemoFixture): T {
  return JSON.parse(readFileSync(new URL(`${name}.expected.json`, folder), "utf8")) as T;
}

/** An empty folder that is removed after the test file. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "clutchcast-demos-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Unpacks a fixture into a folder of the caller and returns the demo's path. */
export async function unpackedFixture(name: DemoFixture, directory: string): Promise<string> {
  const { path } = await unpackDemo(fixturePath(name), join(directory, `${name}.dem`), { maxBytes: 2 ** 30 });
  return path;
}

/** Unpacks one of the odd cases of tests/fixtures/demos/cases. */
export async function unpackedCase(name: string, directory: string): Promise<string> {
  const packed = fileURLToPath(new URL(`cases/${name}.dem.gz`, folder));
  const { path } = await unpackDemo(packed, join(directory, `${name}.dem`), { maxBytes: 2 ** 30 });
  return path;
}
