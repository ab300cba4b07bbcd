import { readFileSync } from "node:fs";

/** Root of the project, with a slash at the end. */
export const root = new URL("../../", import.meta.url).pathname;

/** A test as a document names it: `[file] title`; a title that a template makes is given by its beginning and " …". */
export interface TestReference {
  file: string;
  title: string;
}

/** Cells of a table's row in Markdown; `\|` is a bar within one. */
export function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The tests that a cell names, several with a line break between them; prose may name one too. */
export function referencesIn(cell: string): TestReference[] {
  return [...cell.matchAll(/\[([\w-]+)\] (.+?)(?=<br>|$)/g)].map(([, file = "", title = ""]) => ({
    file,
    title: title.trim(),
  }));
}

/** Test files by the short names that a document gives them in its link definitions: `[name]: ../path`. */
export function filesOf(document: string): Map<string, string> {
  return new Map(
    [...document.matchAll(/^\[([\w-]+)\]: \.\.\/(\S+)$/gm)].map(([, name = "", path = ""]) => [name, path]),
  );
}

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

/** References that lead nowhere: to no file of the document's, or to no test of that title in it. */
export function danglingReferences(references: readonly TestReference[], files: ReadonlyMap<string, string>) {
  const titles = new Map([...files].map(([name, path]) => [name, titlesOf(path)]));
  const isThere = ({ file, title }: TestReference) =>
    titles
      .get(file)
      ?.some((known) => (title.endsWith(" …") ? known.startsWith(title.slice(0, -1)) : known === title)) ?? false;
  return references.filter((reference) => !isThere(reference));
}
