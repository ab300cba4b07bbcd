import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasTestPackages, parserFault } from "../../scripts/install.mjs";

const root = new URL("../../", import.meta.url).pathname;
const parser = "node_modules/@laihoe/demoparser2";

test("a machine on which the parser has no program, or cannot load it, is told so", () => {
  expect(parserFault(root)).toBeNull();
  const elsewhere = mkdtempSync(join(tmpdir(), "clutchcast-install-"));
  try {
    mkdirSync(join(elsewhere, parser), { recursive: true });
    // The package without the one of this platform, as npm leaves it where there is none.
    cpSync(join(root, parser), join(elsewhere, parser), { recursive: true });
    const isItsOwn = process.platform === "linux" && process.arch === "x64";
    expect(parserFault(elsewhere)).toMatch(
      isItsOwn
        ? /^Clutchcast cannot run on this machine: .* cannot be loaded \(\w*Error: .+\)\. It needs glibc/
        : /^Clutchcast cannot run on this machine: .*no program for \w+ \w+\./,
    );
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

test("packages for tests are seen, so that a start keeps them", () => {
  expect(hasTestPackages(root)).toBe(true);
  const fresh = mkdtempSync(join(tmpdir(), "clutchcast-install-"));
  try {
    mkdirSync(join(fresh, "node_modules/vite"), { recursive: true });
    expect(hasTestPackages(fresh)).toBe(false);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
});
