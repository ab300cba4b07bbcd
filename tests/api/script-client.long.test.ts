import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import openapiTypes, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import type { ClipsOverview } from "../../contract/schemas/clip-lists.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { tokenOf } from "../services/token-calls.ts";
import { probeVideo } from "../services/video.ts";
import { leavingOut, type RunningApi, startApi } from "./start-server.ts";

/** What docs/api.md tells script writers to write, run as it stands there. */

vi.setConfig({ testTimeout: 170_000, hookTimeout: 60_000 });

const root = new URL("../../", import.meta.url).pathname;
const guide = readFileSync(`${root}docs/api.md`, "utf8");
const run = promisify(execFile);

let server: RunningApi;
let player: ApiVisitor;
let token: string;
let folder: string;

beforeAll(async () => {
  server = await startApi();
  await startWorkers(leavingOut(server.services, ["pictures", "loop", "share"]));
  player = new ApiVisitor(server.url);
  await player.signIn("76561199999980201", "scripter");
  ({ token } = await tokenOf(player, ["read", "import", "create"]));
  folder = mkdtempSync(join(tmpdir(), "script-"));
  symlinkSync(`${root}node_modules`, join(folder, "node_modules"));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function codeOf(language: "js" | "ts"): string {
  const [, code = ""] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(guide) ?? [];
  return code;
}

/** Runs a program as its writer would, with nothing of this process's. @returns what it printed */
async function runScript(name: string, code: string): Promise<string> {
  writeFileSync(join(folder, name), code);
  const { stdout } = await run(process.execPath, [name], {
    cwd: folder,
    env: { NODE_ENV: "production", PATH: process.env.PATH, CLUTCHCAST_URL: server.url, CLUTCHCAST_TOKEN: token },
  });
  return stdout;
}

/** Faults that the compiler finds in each of these programs, one a line. Read together: most of it is what they are written against. */
function typeErrors(paths: string[]): string[][] {
  const program = ts.createProgram(paths, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    types: ["node"],
    typeRoots: [`${root}node_modules/@types`],
  });
  const texts = (found: readonly ts.Diagnostic[]) =>
    found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  expect(texts([...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()])).toEqual([]);
  return paths.map((path) => texts(ts.getPreEmitDiagnostics(program, program.getSourceFile(path))));
}

test("The script of the guide imports the sample, creates a clip of its best highlight and saves the video", async () => {
  const printed = await runScript("script.mjs", codeOf("js"));
  expect(printed).toMatch(/ by .+: .+\nclip\.mp4: /);
  expect(probeVideo(join(folder, "clip.mp4"))).toMatchObject({ width: 1280, height: 720 });
  rmSync(join(folder, "clip.mp4"));
});

test("A client that is generated from the document typechecks, and does the same", async () => {
  const document = await (await fetch(`${server.url}/api/openapi.json`)).json();
  writeFileSync(join(folder, "clutchcast.d.ts"), astToString(await openapiTypes(document)));
  const code = codeOf("ts");
  const written = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [ofClient, ...ofFaulty] = typeErrors([
    written("client.ts", code),
    // Types that take anything would find nothing in a program with faults either.
    written("wrong-argument.ts", code.replace("highlight_ids: [shortest.id]", "highlight_ids: shortest.id")),
    written("wrong-answer.ts", code.replace("state.display_name", "state.displayName")),
  ]);
  expect(ofClient).toEqual([]);
  expect(ofFaulty[0]?.join()).toContain("not assignable");
  expect(ofFaulty[1]?.join()).toContain("displayName");

  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const printed = await runScript("client.mjs", ts.transpileModule(code, { compilerOptions: options }).outputText);
  expect(printed).toMatch(/^clip\.mp4: /);
  expect(statSync(join(folder, "clip.mp4")).size).toBeGreaterThan(50_000);
  const { results } = await player.call<ClipsOverview>("GET", "/api/matches/clips/");
  expect(results.flatMap(({ clips }) => clips)).toHaveLength(2);
});

test("Run again, the script finds the clip that it made and makes no other", async () => {
  await runScript("script.mjs", codeOf("js"));
  const { results } = await player.call<ClipsOverview>("GET", "/api/matches/clips/");
  expect(results.flatMap(({ clips }) => clips)).toHaveLength(2);
});
