import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratedPlace } from "../../backend/storage/testing/fresh-database.ts";
import { isOfManyMachines, machinesOf, type SharedParts, sharedParts } from "./many-machines/shared-parts.ts";

const root = new URL("../../", import.meta.url).pathname;

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface Product {
  url: string;
  port: number;
  dataDirectory: string;
  /** The process's output so far. */
  output(): string;
  pid: number;
  /** Whether the process is still running. */
  isRunning(): boolean;
  /** Ends the process like a power cut; the data stays. */
  kill(): Promise<void>;
  /** Stops it like an operator. @returns the exit code */
  stop(): Promise<number | null>;
}

interface Place {
  dataDirectory?: string;
  port?: number;
  /** Begins with an empty data folder; otherwise with an empty database, as after a first start. */
  isFirstStart?: boolean;
  /** Two webs and two workers on these parts; `dataDirectory` has a folder for each. */
  shared?: SharedParts;
}

/**
 * Starts the built product like a user's `npm start`, with a new data folder unless one is given. With DEPLOYMENT=many it consists of
 * several machines on shared parts, unless the test filled the folder or the environment names a database.
 */
export async function startProduct(environment: Record<string, string> = {}, given: Place = {}): Promise<Product> {
  const launched = await launchProduct(environment, given);
  await launched.ready;
  return launched;
}

async function newDataDirectory({ isFirstStart }: Place): Promise<string> {
  if (isFirstStart) return mkdtempSync(join(tmpdir(), "clutchcast-data-"));
  return (await migratedPlace("embedded")).DATA_DIR;
}

/** Like `startProduct`, without waiting until it answers. `ready` rejects with the output when the process ends before that. */
export async function launchProduct(
  environment: Record<string, string> = {},
  given: Place = {},
): Promise<Product & { ready: Promise<void> }> {
  const port = given.port ?? (await freePort());
  const isOfMany = given.shared || (isOfManyMachines && !environment.DATABASE_URL);
  const many = isOfMany ? await sharedParts(given) : null;
  const dataDirectory = many?.dataDirectory ?? given.dataDirectory ?? (await newDataDirectory(given));
  const logPath = join(tmpdir(), `clutchcast-${port}.log`);
  const log = await open(logPath, "w");
  const program = many ? ["--import", "tsx", "tests/services/many-machines/main.ts"] : ["scripts/start.mjs"];
  const child: ChildProcess = spawn(process.execPath, program, {
    cwd: root,
    stdio: ["ignore", log.fd, log.fd],
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDirectory,
      HISTORY_PROVIDER: "none",
      LOG_LEVEL: "warn",
      ...many?.parts.environment,
      ...environment,
    },
  });
  await log.close();
  const output = () => readFileSync(logPath, "utf8");
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const url = `http://localhost:${port}`;
  const answering = async () => {
    const deadline = Date.now() + 120_000;
    for (;;) {
      if (!isRunning() || Date.now() > deadline) {
        child.kill("SIGKILL");
        throw new Error(`The product did not start:\n${output()}`);
      }
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const ready = answering();
  // A test that kills it before it answers does not await `ready`.
  ready.catch(() => {});
  return {
    url,
    port,
    dataDirectory,
    output,
    pid: child.pid ?? 0,
    isRunning,
    ready,
    async kill() {
      child.kill("SIGKILL");
      await exited;
      if (many) await killMachines(dataDirectory);
    },
    async stop() {
      child.kill("SIGTERM");
      const code = await exited;
      if (!given.dataDirectory) rmSync(dataDirectory, { recursive: true, force: true });
      rmSync(logPath, { force: true });
      return code;
    },
  };
}

/** A power cut of all machines at once: the process that would restart them is already gone. */
async function killMachines(dataDirectory: string): Promise<void> {
  const isThere = (pid: number) => {
    try {
      process.kill(pid, "SIGKILL");
      return true;
    } catch {
      return false;
    }
  };
  while (Object.values(machinesOf(dataDirectory)).filter(isThere).length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
