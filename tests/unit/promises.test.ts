import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cellsOf, danglingReferences, filesOf, referencesIn, root } from "./test-titles.ts";

/** The last cells of a document's tables whose last column is headed "Test". */
function testCellsOf(document: string): { row: string; tests: string }[] {
  let isTests = false;
  return document.split("\n").flatMap((line) => {
    if (!line.startsWith("|")) {
      isTests = false;
      return [];
    }
    const cells = cellsOf(line);
    const last = cells.at(-1) ?? "";
    if (last === "Test") isTests = true;
    return isTests && last !== "Test" && !/^-+$/.test(last) ? [{ row: cells[0] ?? "", tests: last }] : [];
  });
}

test.each(["docs/security.md", "docs/reliability.md"])(
  "every promise of %s names its tests, or says why none",
  (path) => {
    const document = readFileSync(`${root}${path}`, "utf8");
    const cells = testCellsOf(document);
    expect(cells.length).toBeGreaterThan(10);
    for (const { row, tests } of cells) {
      if (tests.startsWith("– ")) expect(tests.length, row).toBeGreaterThan(10);
      else expect(referencesIn(tests).length, row).toBe(tests.split("<br>").length);
    }
    const files = filesOf(document);
    const named = cells.flatMap(({ tests }) => referencesIn(tests));
    expect(danglingReferences(named, files)).toEqual([]);
    const used = new Set(named.map(({ file }) => file));
    expect([...files.keys()].filter((name) => !used.has(name))).toEqual([]);
  },
);

/**
 * How many requirements of levels 1 and 2 each section has; they are numbered from 1, those of level 3 follow.
 * Source: OWASP ASVS 5.0.0, the list in CSV.
 */
const requirements: Record<string, number> = {
  ...{ "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1 },
  ...{ "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4 },
  ...{ "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3, "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4 },
  ...{ "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1 },
  ...{ "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3 },
  ...{ "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1, "12.1": 3, "12.2": 2, "12.3": 4 },
  ...{ "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3, "15.1": 3, "15.2": 3, "15.3": 7 },
  ...{ "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4, "17.3": 2 },
};

/** The requirements a row speaks of: "1.2.3, 4.1" are one and a section, "2.1 to 2.3" three sections. */
function isNamed(requirement: string, row: string): boolean {
  const numbers = row.match(/\d+(?:\.\d+)*/g) ?? [];
  if (numbers.some((number) => requirement === number || requirement.startsWith(`${number}.`))) return true;
  return [...row.matchAll(/([\d.]+)\.(\d+) to \1\.(\d+)/g)].some(([, within, first, last]) => {
    const [, at = ""] = requirement.startsWith(`${within}.`) ? requirement.slice(String(within).length).split(".") : [];
    return at !== "" && Number(at) >= Number(first) && Number(at) <= Number(last);
  });
}

test("every requirement of levels 1 and 2 of the verification standard has a row", () => {
  const rows = testCellsOf(readFileSync(`${root}docs/security.md`, "utf8")).map(({ row }) => row);
  const wanted = Object.entries(requirements).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, at) => `${section}.${at + 1}`),
  );
  expect(wanted).toHaveLength(253);
  expect(wanted.filter((requirement) => !rows.some((row) => isNamed(requirement, row)))).toEqual([]);
});

test("docs/accuracy.md has a section for every demo that we bring along, and explains every difference", () => {
  const document = readFileSync(`${root}docs/accuracy.md`, "utf8");
  const sections = [...document.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  const folders = ["tests/fixtures/demos", "backend/matches/sample", "tests/fixtures/demos/cases"];
  const demos = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`).filter((name) => /\.dem(\.\w+)?$/.test(name)),
  );
  expect(sections.sort()).toEqual(demos.sort());
  expect(document).not.toContain("Not explained");
});
