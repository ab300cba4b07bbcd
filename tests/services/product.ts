import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
  /** Ends the process as a power cut would; the data stays. */
  kill(): Promise<void>;
  /** Ends it as an operator would. @returns the exit code */
  stop(): Promise<number | null>;
}

/** Starts the built product as a user's `npm start` does, with an empty data folder unless one is given. */
export async function startProduct(
  environment: Record<string, string> = {},
  given: { dataDirectory?: string; port?: number } = {},
): Promise<Product> {
  const port = given.port ?? (await freePort());
  const dataDirectory = given.dataDirectory ?? mkdtempSync(join(tmpdir(), "clutchcast-data-"));
  const logPath = join(dataDirectory, "..", `clutchcast-${port}.log`);
  const log = await open(logPath, "w");
  const child: ChildProcess = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: root,
    stdio: ["ignore", log.fd, log.fd],
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDirectory,
      HISTORY_PROVIDER: "none",
      LOG_LEVEL: "warn",
      ...environment,
    },
  });
  await log.close();
  const output = () => readFileSync(logPath, "utf8");
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const url = `http://localhost:${port}`;
  const deadline = Date.now() + 120_000;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`The product did not start:\n${output()}`);
    }
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    port,
    dataDirectory,
    output,
    pid: child.pid ?? 0,
    async kill() {
      child.kill("SIGKILL");
      await exited;
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
