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
  /** What the process printed so far. */
  output(): string;
  pid: number;
  /** Whether the process is still there. */
  isRunning(): boolean;
  /** Ends the process as a power cut would; the data stays. */
  kill(): Promise<void>;
  /** Ends it as an operator would. @returns the exit code */
  stop(): Promise<number | null>;
}

interface Place {
  dataDirectory?: string;
  port?: number;
  /** Begins with an empty data folder; else it holds an empty database, as after a first start. */
  isFirstStart?: boolean;
  /** Two webs and two workers on these parts; `dataDirectory` holds a folder for each. */
  shared?: SharedParts;
}

/**
 * Starts the built product as a user's `npm start` does, with a data folder of its own unless one is given. With DEPLOYMENT=many it is several
 * machines' on shared parts, unless the folder was filled by the test or the environment names a database.
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

/** As `startProduct`, without waiting until it answers. `ready` rejects, with what it printed, when it ends before. */
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
  // Whoever kills it before it answers does not wait for the answer.
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

/** A power cut of all machines at once: whoever would start them again is gone already. */
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
