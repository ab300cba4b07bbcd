/** `clutchcast COMMAND`: the product without its server. Runs from the build, where `scripts/clutchcast.mjs` starts it. */
import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanLine } from "../../contract/clean-text.ts";
import packageFile from "../../package.json" with { type: "json" };
import { analyze } from "./analyze.ts";
import { CliError, exitCodes, Stopped, UsageError } from "./cli-error.ts";
import { clip } from "./clip.ts";
import {
  type AnalyzeCommand,
  type ClipCommand,
  type PassedCommand,
  type RecordCommand,
  readArguments,
} from "./read-arguments.ts";
import { record } from "./record.ts";
import { markAsOwn, sweepAbandoned } from "./run-mark.ts";
import { sentenceOf } from "./sentence-of.ts";
import { servedPaths } from "./served-paths.ts";
import { openSession } from "./session.ts";
import { temporaryFolderProblem } from "./temporary-folder.ts";
import { type CommandName, usageOf } from "./usage.ts";
import { watchFolder } from "./watch-folder.ts";

const stop = new AbortController();

/** The first Ctrl-C ends the work, its processes and its temporary files; a second one ends this process at once. */
function listenToSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    const reason = new Stopped(constants.signals[signal]);
    process.on(signal, () => (stop.signal.aborted ? process.exit(reason.exitCode) : stop.abort(reason)));
  }
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `clutchcast analyze … | head`: whoever read has read enough.
    const isRead = error.code === "EPIPE";
    const lost = `The answer could not be written to standard output (${error.code}): make room, or write it elsewhere.`;
    stop.abort(isRead ? new Stopped(constants.signals.SIGPIPE ?? 13) : new CliError(lost));
  });
  process.stderr.on("error", () => {});
}

/** @returns the exit code; null while something goes on running */
async function run(words: readonly string[]): Promise<number | null> {
  const command = readArguments(words);
  switch (command.name) {
    case "help":
      return print(usageOf(command.about));
    case "version":
      return print(`clutchcast ${packageFile.version}\n`);
    case "serve":
      return serve(command);
    case "direction":
    case "accuracy":
      return passOn(command.name, command.words);
    default:
      return work(command);
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return exitCodes.done;
}

async function work(command: AnalyzeCommand | ClipCommand | RecordCommand): Promise<number> {
  listenToSignals();
  const { isQuiet } = command;
  const session = openSession(process.env, { isQuiet, cwd: process.cwd(), signal: stop.signal });
  let isFine: boolean;
  if (command.name === "analyze") isFine = await analyze(command, session);
  else if (command.name === "record") isFine = await record(command, session);
  else if (command.watched === null) isFine = await clip(command, session);
  else isFine = await watchFolder({ ...command, watched: command.watched }, session);
  return isFine ? exitCodes.done : exitCodes.failed;
}

/** As `npm start` in the product's own folder: the same data, wherever it is called. */
async function serve({ words }: PassedCommand<CommandName>): Promise<null> {
  Object.assign(process.env, servedPaths(process.env, process.cwd()));
  process.chdir(fileURLToPath(new URL("..", import.meta.url)));
  process.env.NODE_ENV ??= "production";
  await beside("server", words);
  return null;
}

const noAnalyzer =
  "The independent analyzer is not installed: run “node scripts/install-only.mjs” in Clutchcast's own folder, then try again.";

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "clutchcast-"));
  } catch (error) {
    throw temporaryFolderProblem(error, tmpdir());
  }
}

/** A program that reads its own words, and puts its temporary files where this one can take them away. */
async function passOn(name: "direction" | "accuracy", words: readonly string[]): Promise<number> {
  await sweepAbandoned(tmpdir());
  const folder = temporaryFolder();
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => process.exit(new Stopped(constants.signals[signal]).exitCode));
  }
  try {
    await markAsOwn(folder);
    await beside(name, words);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ERR_MODULE_NOT_FOUND" && message.includes("@akiver/cs-demo-analyzer")) throw new CliError(noAnalyzer);
    throw error;
  }
  return Number(process.exitCode ?? exitCodes.done);
}

/** Runs another program of the build in this process. */
async function beside(name: "server" | "direction" | "accuracy", words: readonly string[]): Promise<void> {
  const program = new URL(`./${name}.js`, import.meta.url);
  process.argv = [process.argv[0] ?? "", fileURLToPath(program), ...words];
  await import(program.href);
}

/** Says what went wrong. @returns the exit code */
function fail(error: unknown): number {
  if (stop.signal.aborted && stop.signal.reason instanceof Stopped) return stop.signal.reason.exitCode;
  process.stderr.write(`clutchcast: ${cleanLine(sentenceOf(error, process.cwd()))}\n`);
  if (error instanceof UsageError) {
    process.stderr.write(`Try: clutchcast ${error.command === null ? "" : `${error.command} `}--help\n`);
    return exitCodes.wrongUse;
  }
  if (process.env.LOG_LEVEL === "debug" && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return exitCodes.failed;
}

const code = await run(process.argv.slice(2)).catch(fail);
// What was printed into a pipe is still on its way, and what could not be printed is told a moment later.
if (code !== null) {
  process.stdout.write("", () =>
    setImmediate(() => process.exit(code === exitCodes.done && stop.signal.aborted ? fail(stop.signal.reason) : code)),
  );
}
