import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

/**
 * A data directory from version 0.1.0: an imported match, a finished clip with its files, and one whose render waits.
 * @param folder in which it is made
 */
export function oldPlace(folder: string): { DATA_DIR: string } {
  const DATA_DIR = mkdtempSync(join(folder, "data-"));
  const packed = readFileSync(new URL("../../../tests/fixtures/upgrade/0.1.0.tar.br", import.meta.url));
  execFileSync("tar", ["-C", DATA_DIR, "-x", "--no-same-owner"], { input: brotliDecompressSync(packed) });
  return { DATA_DIR };
}
