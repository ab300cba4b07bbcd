import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url).pathname;
const document = readFileSync(`${root}docs/spec-coverage.md`, "utf8");
const lines = document.split("\n");

interface Row {
  sentence: string;
  where: string;
  tests: string;
  differently: string;
}

/** A row's cells; `\|` is a bar within one. */
function rowOf(line: string): Row {
  const [, sentence = "", where = "", tests = "", differently = ""] = line
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
  return { sentence, where, tests, differently };
}

const rows = lines
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Sentence | Where | Test |"))
  .map(rowOf);
const files = new Map(
  [...document.matchAll(/^\[([\w-]+)\]: \.\.\/(\S+)$/gm)].map(([, name = "", path = ""]) => [name, path]),
);
/** `[file] title`, several with a line break between them; prose may name one too. */
const referencesIn = (cell: string) =>
  [...cell.matchAll(/\[([\w-]+)\] (.+?)(?=<br>|$)/g)].map(([, file = "", title = ""]) => ({
    file,
    title: title.trim(),
  }));

const screenName = /\$\{screen\.name\}/;

/** The titles of a test file as they are run; one that a template makes for every `name:` is given for each. */
function titlesOf(path: string): string[] {
  const source = readFileSync(`${root}${path}`, "utf8");
  const titles = [...source.matchAll(/(?:\btest|\))\(\s*(["'`])((?:\\.|(?!\1).)+)\1/g)].map(
    ([, , title = ""]) => title,
  );
  return titles.flatMap((title) =>
    screenName.test(title)
      ? [...source.matchAll(/^ {4}name: "([\w-]+)"/gm)].map(([, name = ""]) => title.replace(screenName, name))
      : [title.replaceAll(/\\(.)/g, "$1")],
  );
}

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
  const titles = new Map([...files].map(([name, path]) => [name, titlesOf(path)]));
  const named = rows.flatMap(({ tests, differently }) => [...referencesIn(tests), ...referencesIn(differently)]);
  const isThere = ({ file, title }: { file: string; title: string }) =>
    titles
      .get(file)
      ?.some((known) => (title.endsWith(" …") ? known.startsWith(title.slice(0, -1)) : known === title)) ?? false;
  expect(named.filter((reference) => !isThere(reference))).toEqual([]);
  const used = new Set(named.map(({ file }) => file));
  expect([...files.keys()].filter((name) => !used.has(name))).toEqual([]);
});
