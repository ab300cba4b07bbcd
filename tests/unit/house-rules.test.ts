import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./test-titles.ts";

const { forbidden } = createRequire(import.meta.url)(`${root}.dependency-cruiser.cjs`);

const domain = [
  ...["accounts", "automation", "clips", "demos", "highlights", "library", "maps", "matches", "retention", "video"],
  "webhooks",
];
const ground = ["children", "jobs", "outgoing", "storage", "waits"];
const border = ["api", "cli", "http", "operator", "supervision", "web"];

/** Who imports what, by rooms of the backend, houses, and packages: none of it may be. */
const wrong: [from: string, to: string][] = [
  ...[...domain, ...ground].flatMap((room) => border.map((other): [string, string] => [room, other])),
  ...ground.flatMap((room) => domain.filter((other) => other !== "video").map((to): [string, string] => [room, to])),
  ...[...domain, ...ground].map((room): [string, string] => [room, "hono"]),
  // A clip is of a match, and both together are the library.
  ["matches", "clips"],
  ["matches", "library"],
  ["clips", "library"],
  ["library", "retention"],
  ["highlights", "demos"],
  ["demos", "matches"],
  ["accounts", "clips"],
  ["video", "clips"],
  ["maps", "matches"],
  // Nothing but the server's wiring knows the API, and nobody the command line.
  ...border.filter((room) => room !== "api").map((room): [string, string] => [room, "api"]),
  ...["api", "http", "operator", "web"].map((room): [string, string] => [room, "cli"]),
  ["api", "operator"],
  ["api", "web"],
  ["web", "operator"],
  ["app", "backend/matches"],
  ["backend/matches", "app"],
  ["scene", "backend/video"],
  ["contract", "scene"],
  ["replay", "contract"],
  ["scene", "node:fs"],
  ["app", "node:http"],
  ["matches", "node:child_process"],
];

const right: [from: string, to: string][] = [
  ["app", "contract"],
  ["app", "scene"],
  ["api", "matches"],
  ["api", "hono"],
  ["clips", "matches"],
  ["library", "clips"],
  ["retention", "library"],
  ["matches", "demos"],
  ["demos", "highlights"],
  ["automation", "clips"],
  ["cli", "clips"],
  ["highlights", "contract"],
  ["clips", "storage"],
];

const houses = ["app", "backend", "contract", "replay", "scene"];
const isRoom = (name: string) => [...domain, ...ground, ...border].includes(name);
const folderOf = (name: string) => (isRoom(name) ? `backend/${name}` : name);
const isFolder = (name: string) => houses.includes(folderOf(name).split("/")[0] ?? "");
const importer = ([from, to]: [string, string]) => `${folderOf(from)}/imports-${to.replaceAll(/\W/g, "-")}.ts`;

let refused: Map<string, string[]>;
let tree: string;

function write(path: string, text: string) {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

/** A tree of nothing but such imports, under the rules of the project, looked at once. */
beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), "house-rules-"));
  symlinkSync(`${root}node_modules`, join(tree, "node_modules"));
  for (const [from, to] of [...wrong, ...right]) {
    const path = importer([from, to]);
    const target = `${folderOf(to)}/target.ts`;
    if (isFolder(to)) write(target, "export const target = 1;\n");
    const address = isFolder(to) ? relative(dirname(path), target).replace(/^(?!\.)/, "./") : to;
    write(path, `import * as target from "${address}";\nexport const used = target;\n`);
  }
  write("backend/matches/round.ts", 'export { about } from "./about.ts";\nexport const round = 1;\n');
  write("backend/matches/about.ts", 'export { round } from "./round.ts";\nexport const about = 1;\n');
  const { output } = await cruise(houses, {
    ruleSet: { forbidden },
    validate: true,
    baseDir: tree,
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
  });
  refused = new Map();
  for (const { from, rule } of (output as ICruiseResult).summary.violations) {
    refused.set(from, [...(refused.get(from) ?? []), rule.name]);
  }
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

test.each(wrong)("the lint refuses that %s imports %s", (...arrow) => {
  expect(refused.get(importer(arrow)) ?? []).not.toEqual([]);
});

test.each(right)("the lint lets %s import %s", (...arrow) => {
  expect(refused.get(importer(arrow)) ?? []).toEqual([]);
});

test("the lint refuses two files that import each other, and every rule is tried here", () => {
  expect(refused.get("backend/matches/round.ts") ?? refused.get("backend/matches/about.ts")).toEqual(["no-circular"]);
  const tried = new Set([...refused.values()].flat());
  expect(forbidden.map(({ name }: { name: string }) => name).filter((name: string) => !tried.has(name))).toEqual([]);
});

test("every room of the backend stands somewhere between ground and border", () => {
  const rooms = readdirSync(`${root}backend`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).sort()).toEqual([...domain, ...ground, ...border].sort());
});

test.each([
  ["backend/matches/wait.ts", 'export const page = await fetch("http://127.0.0.1/");\n', "noRestrictedGlobals"],
  ["app/matches/wait.ts", 'export const page = await fetch("http://127.0.0.1/");\n', "noRestrictedGlobals"],
  ["backend/clips/say.ts", 'console.log("something");\n', "noConsole"],
  ["scene/join.ts", 'import { join } from "path";\nexport const path = join("a", "b");\n', "useNodejsImportProtocol"],
])("the lint refuses what %s does", (path, text, rule) => {
  write(path, text);
  const { vcs: _, ...settings } = JSON.parse(readFileSync(`${root}biome.json`, "utf8"));
  write("biome.json", JSON.stringify(settings));
  const { status, stdout } = spawnSync(`${root}node_modules/.bin/biome`, ["lint", "--reporter=json", path], {
    cwd: tree,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string }[] };
  expect(diagnostics.map(({ category }) => category.split("/").at(-1))).toEqual([rule]);
});

// `npm run typecheck` is what fails when one of these is taken.
test("the compiler refuses what the house is strict about", () => {
  interface Named {
    name?: string;
  }
  // @ts-expect-error undefined is not the same as left out (exactOptionalPropertyTypes)
  const named: Named = { name: undefined };
  const list: readonly string[] = [];
  // @ts-expect-error an index may meet nothing (noUncheckedIndexedAccess)
  const first: string = list[0];
  // @ts-expect-error one way ends without a value (noImplicitReturns)
  const sign = (value: number) => {
    if (value > 0) return 1;
  };
  expect([named.name, first, sign(-1)]).toEqual([undefined, undefined, undefined]);
});
