import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "./test-titles.ts";

const levels = new Set(["fatal", "error", "warn", "info", "debug", "trace"]);

/** What a line of the log is given of an error anywhere but under `err`, as "line: why". */
function misplacedErrors(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const complain = (node: ts.Node, why: string) => {
    found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${why}`);
  };
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression: of, name } = node.expression;
      if (levels.has(name.text) && /(^|[.#])log$/.test(of.getText())) checkCall(node);
    }
    ts.forEachChild(node, visit);
  };
  const checkCall = ({ arguments: given }: ts.CallExpression) => {
    const [fields] = given;
    if (!fields) return;
    if (isError(fields)) complain(fields, "an error by itself");
    if (!ts.isObjectLiteralExpression(fields)) return;
    for (const field of fields.properties) {
      const key = field.name?.getText() ?? "";
      const value = ts.isPropertyAssignment(field) ? field.initializer : field.name;
      if (key !== "err" && /^(e|ex|error|exception|problem)$/.test(key)) complain(field, `under ${key}`);
      else if (key !== "err" && value && isError(value)) complain(field, `under ${key}`);
      else if (value && isMessage(value)) complain(field, "its message alone");
    }
  };
  visit(source);
  return found;
}

const isError = (node: ts.Node) => ts.isIdentifier(node) && /^(e|err|error|[a-z]+Error)$/.test(node.text);
const isMessage = (node: ts.Node) =>
  ts.isPropertyAccessExpression(node) && node.name.text === "message" && isError(node.expression);

const parsed = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

test("every line of the log that tells of an error has it under err", () => {
  const backend = readdirSync(`${root}backend`, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("testing/"),
  );
  const paths = ["server.ts", ...backend.map((path) => `backend/${path}`)];
  expect(paths.length).toBeGreaterThan(300);
  const misplaced = paths.flatMap((path) =>
    misplacedErrors(parsed(path, readFileSync(root + path, "utf8"))).map((found) => `${path}:${found}`),
  );
  expect(misplaced).toEqual([]);
});

test("an error at another place is found", () => {
  const text = `
    log.warn({ error }, "a");
    services.log.error({ error: reason, id }, "b");
    this.#log.info({ reason: error.message }, "c");
    log.error(error, "d");
    log.warn({ cause: renderError }, "e");
    log.warn({ err: error, id }, "fine");
    console.log({ error });`;
  expect(misplacedErrors(parsed("a.ts", text))).toEqual([
    "2: under error",
    "3: under error",
    "4: its message alone",
    "5: an error by itself",
    "6: under cause",
  ]);
});
