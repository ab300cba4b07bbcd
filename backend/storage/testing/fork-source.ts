import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Starts a TypeScript source as a process of its own, with a message channel to it. */
export function forkSource(source: URL, parameters: string[]): ChildProcess {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return fork(fileURLToPath(source), parameters, {
    execArgv: ["--import", tsx],
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
}
