import { execFile } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { childEnvironment } from "../children/child-environment.ts";

/** Encoders that rendering needs; Debian's, Homebrew's and the npm-shipped builds have them, minimal builds do not. */
const neededEncoders = ["libx264", "aac", "mjpeg"];

export class FfmpegMissingError extends Error {}

export interface FfmpegPlaces {
  /** FFMPEG_PATH. If set, nothing else is tried, so that a wrong setting is noticed. */
  configured?: string | undefined;
  /** Looked up on PATH. */
  command?: string;
  /** The binary that npm installed, if any. */
  bundled?: () => string | null;
}

/**
 * Path (or command) of an ffmpeg that can encode H.264 and AAC: the configured one, otherwise the one on PATH, otherwise the one that npm
 * installed as an optional dependency.
 * @throws FfmpegMissingError with a sentence for the operator.
 */
export async function findFfmpeg(places: FfmpegPlaces = {}): Promise<string> {
  const { configured, command = "ffmpeg", bundled = bundledFfmpeg } = places;
  if (configured) {
    const fault = await faultOf(configured);
    if (fault) throw new FfmpegMissingError(`FFMPEG_PATH is “${configured}”, but ${fault}.`);
    return configured;
  }
  const faults: string[] = [];
  for (const candidate of [command, bundled()]) {
    if (candidate === null) continue;
    const fault = await faultOf(candidate);
    if (!fault) return candidate;
    faults.push(`“${candidate}”: ${fault}`);
  }
  throw new FfmpegMissingError(
    `No ffmpeg that can encode video was found (${faults.join("; ")}). Install ffmpeg, or set FFMPEG_PATH to one with libx264.`,
  );
}

/** The binary of @ffmpeg-installer for this platform; null when the optional package is not installed. */
export function bundledFfmpeg(): string | null {
  const require = createRequire(import.meta.url);
  const file = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg";
  try {
    const installer = require.resolve("@ffmpeg-installer/ffmpeg/package.json");
    const binary = createRequire(installer).resolve(`@ffmpeg-installer/${process.platform}-${process.arch}/${file}`);
    makeExecutable(binary);
    return binary;
  } catch {
    return null;
  }
}

/** The package's install script does this, but npm can skip scripts. */
function makeExecutable(binary: string): void {
  const { mode } = statSync(binary);
  if (process.platform !== "win32" && (mode & 0o100) === 0) chmodSync(binary, mode | 0o111);
}

/** Why this ffmpeg cannot be used, as the end of a sentence; null when it can. */
async function faultOf(path: string): Promise<string | null> {
  try {
    const listing = await new Promise<string>((resolve, reject) => {
      const options = {
        env: childEnvironment(null),
        timeout: 20_000,
        killSignal: "SIGKILL",
        maxBuffer: 4 * 1024 ** 2,
      } as const;
      execFile(path, ["-hide_banner", "-encoders"], options, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
    });
    const encoders = new Set(listing.split("\n").map((line) => line.trim().split(/\s+/)[1]));
    const missing = neededEncoders.filter((name) => !encoders.has(name));
    return missing.length > 0 ? `it cannot encode ${missing.join(" and ")}` : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "there is no such program";
    if (code === "EACCES") return "it may not be executed";
    return `it does not run (${error instanceof Error ? error.message.split("\n")[0] : String(error)})`;
  }
}

/** The version that an ffmpeg reports, e.g. "7.1.1" or "n7.1-static"; null when it reports none. */
export async function ffmpegVersion(path: string): Promise<string | null> {
  const options = { env: childEnvironment(null), timeout: 20_000, killSignal: "SIGKILL" } as const;
  const output = await new Promise<string>((resolve) =>
    execFile(path, ["-version"], options, (_error, stdout) => resolve(stdout)),
  );
  return /^ffmpeg version (\S{1,60})/.exec(output)?.[1] ?? null;
}
