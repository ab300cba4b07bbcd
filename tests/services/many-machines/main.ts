/**
 * The shape of compose.yaml as one process for tests: two webs behind a proxy on PORT, and two workers. Each is the built product in its
 * own process with its own DATA_DIR, and is restarted when it is killed. DATABASE_URL and S3_… name what they share. Exits with 0 after
 * SIGTERM if each of them did. Linux only: every machine has its own loopback address, and all use the same port.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { connectionLimits } from "../../../backend/http/connection-limits.ts";
import { roundRobin } from "./round-robin.ts";

const root = new URL("../../../", import.meta.url).pathname;
const { PORT = "", DATA_DIR = "" } = process.env;
const port = Number(PORT);
const machines = [
  { name: "web-1", host: "127.0.0.11", role: "web" },
  { name: "web-2", host: "127.0.0.12", role: "web" },
  { name: "worker-1", host: "127.0.0.21", role: "worker" },
  { name: "worker-2", host: "127.0.0.22", role: "worker" },
] as const;

const running = new Map<string, ChildProcess>();
const restartAfterMs = 1000;
let isStopping = false;
let exitCode = 0;

function start({ name, host, role }: (typeof machines)[number]): void {
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, HOST: host, ROLE: role, DATA_DIR: join(DATA_DIR, name) },
  });
  running.set(name, child);
  // For tests that kill one of them, and for `kill` of all.
  writeFileSync(
    join(DATA_DIR, "machines.json"),
    JSON.stringify(Object.fromEntries([...running].map(([of, { pid }]) => [of, pid]))),
  );
  child.once("exit", (code) => {
    running.delete(name);
    if (isStopping) {
      if (code !== 0) exitCode = 1;
      if (running.size === 0) process.exit(exitCode);
    } else if (code === null) setTimeout(() => !isStopping && start({ name, host, role } as never), restartAfterMs);
    else {
      // It could not start, and has printed why.
      exitCode = code;
      stop();
    }
  });
}

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  proxy.close();
  proxy.closeIdleConnections();
  if (running.size === 0) process.exit(exitCode);
  for (const child of running.values()) child.kill("SIGTERM");
}

const webs = machines.filter(({ role }) => role === "web").map(({ host }) => ({ host, port }));
const balance = roundRobin(() => webs);
const isUp = ({ host }: { host: string }) =>
  fetch(`http://${host}:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
let areAllUp = false;
const proxy = createServer(connectionLimits, async (request, response) => {
  if (request.url === "/readyz" && !areAllUp) {
    areAllUp = (await Promise.all(machines.map(isUp))).every(Boolean);
    if (!areAllUp) return void response.writeHead(503).end();
  }
  balance(request, response);
});
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
proxy.once("error", (error) => {
  console.error(String(error));
  exitCode = 1;
  stop();
});
proxy.listen(port, "localhost", () => {
  for (const machine of machines) start(machine);
});
