import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cellsOf, danglingReferences, filesOf, referencesIn, root } from "./test-titles.ts";

const document = readFileSync(`${root}docs/spec-coverage.md`, "utf8");
const lines = document.split("\n");

interface Row {
  sentence: string;
  where: string;
  tests: string;
  differently: string;
}

function rowOf(line: string): Row {
  const [sentence = "", where = "", tests = "", differently = ""] = cellsOf(line);
  return { sentence, where, tests, differently };
}

const rows = lines
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Sentence | Where | Test |"))
  .map(rowOf);
const files = filesOf(document);

test("the coverage table has a row for the sentences of all sections that are its checklist", () => {
  const sections = lines.filter((line) => line.startsWith("## ")).map((line) => line.slice(3, 4));
  expect(sections).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  expect(rows.length).toBeGreaterThan(230);
  for (const { sentence, where } of rows) {
    expect(sentence).not.toBe("");
    expect(where, sentence).toMatch(/^`[^`]+`(, `[^`]+`)*$/);
  }
});

test("every row of the coverage table names a test, or says why there is none", () => {
  for (const { sentence, tests } of rows) {
    if (tests.startsWith("– ")) expect(tests.length, sentence).toBeGreaterThan(20);
    else expect(referencesIn(tests).length, sentence).toBe(tests.split("<br>").length);
  }
});

test("every file that the coverage table names exists", () => {
  const named = rows.flatMap(({ where }) => [...where.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path));
  expect([...named, ...files.values()].filter((path) => !existsSync(root + path))).toEqual([]);
});

test("every test that the coverage table names stands under this title in its file", () => {
  const named = rows.flatMap(({ tests, differently }) => [...referencesIn(tests), ...referencesIn(differently)]);
  expect(danglingReferences(named, files)).toEqual([]);
  const used = new Set(named.map(({ file }) => file));
  expect([...files.keys()].filter((name) => !used.has(name))).toEqual([]);
});
