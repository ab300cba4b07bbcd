import { resolve } from "node:path";
import { cleanLine } from "../../contract/clean-text.ts";
import { Containment } from "../children/containment.ts";
import { type Config, readConfig } from "../config.ts";
import { CliError } from "./cli-error.ts";
import type { MissingDemo } from "./find-demos.ts";
import type { ProgressOutput } from "./progress-bar.ts";
import { sentenceOf } from "./sentence-of.ts";

/** What all of a command's work has in common. */
export interface Session {
  config: Config;
  containment: Containment;
  /** Where relative paths begin. */
  cwd: string;
  /** Aborted by Ctrl-C, with a `Stopped`. */
  signal: AbortSignal;
  /** Null with --quiet. */
  progress: ProgressOutput | null;
  /** Of the terminal; Infinity where there is none. */
  columns: number;
  /** Standard output: what was asked for. */
  print(text: string): void;
  /** Standard error. */
  say(text: string): void;
}

/** Settings of the server that mean the same here; those of others, such as DATABASE_URL, are not even looked at. */
const settings = ["FFMPEG_PATH", "CHILD_ISOLATION", "MAX_DEMO_BYTES", "CLIP_HEIGHT", "DATA_DIR", "LOG_LEVEL"];

/** @throws ConfigError for a setting that cannot be read */
export function openSession(
  environment: Record<string, string | undefined>,
  { isQuiet, cwd, signal }: { isQuiet: boolean; cwd: string; signal: AbortSignal },
): Session {
  const config = readConfig(Object.fromEntries(settings.map((name) => [name, environment[name]])));
  const say = (text: string) => void process.stderr.write(text);
  const tell = (_: object, text: string) => config.LOG_LEVEL === "debug" && say(`${text}\n`);
  return {
    config,
    containment: new Containment(
      {
        isolation: config.CHILD_ISOLATION,
        dataDirectory: resolve(cwd, config.DATA_DIR),
        ffmpegPath: config.FFMPEG_PATH,
      },
      { info: tell as Logging, warn: tell as Logging },
    ),
    cwd,
    signal,
    progress: isQuiet ? null : process.stderr,
    columns: process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY,
    print: (text) => void process.stdout.write(text),
    say,
  };
}

type Logging = ConstructorParameters<typeof Containment>[1]["info"];

/** Says why something was not done, in one line. */
export function sayError({ say, config }: Session, subject: string | null, error: unknown, folder: string): string {
  const sentence = cleanLine(sentenceOf(error, folder));
  say(`${subject === null ? "clutchcast" : cleanLine(subject)}: ${sentence}\n`);
  const isForeseen = error instanceof CliError;
  if (config.LOG_LEVEL === "debug" && !isForeseen) say(`${stackOf(error)}\n`);
  return sentence;
}

/** Says what was named and is not there. @returns the same for programs */
export function sayMissing(session: Session, missing: readonly MissingDemo[]): { demo: string; error: string }[] {
  return missing.map(({ shown, error }) => ({ demo: shown, error: sayError(session, null, error, session.cwd) }));
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.stack}\ncaused by ${stackOf(error.cause)}` : (error.stack ?? error.message);
}
