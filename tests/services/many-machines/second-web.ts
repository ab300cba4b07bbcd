import { type ChildProcess, spawn } from "node:child_process";
import type { RequestListener } from "node:http";
import { frameworkComplaint } from "../framework-complaint.ts";
import { roundRobin } from "./round-robin.ts";

const root = new URL("../../../", import.meta.url).pathname;

/** A web in a separate process, beside one in the tests' process; it gets every second request. */
export class SecondWeb {
  readonly #environment: Record<string, string>;
  readonly #host = "127.0.0.12";
  #child: ChildProcess | null = null;
  #output = "";

  /** @param environment of the first one; the port is the same on another loopback address */
  constructor(environment: Record<string, string>, dataDirectory: string) {
    this.#environment = { ...environment, HOST: this.#host, DATA_DIR: dataDirectory, ROLE: "web" };
  }

  /** @param isHere whether this process should answer a request */
  beside(here: RequestListener, isHere: () => boolean): RequestListener {
    const port = Number(this.#environment.PORT);
    const both = roundRobin(() => [here, { host: this.#host, port }]);
    return (request, response) => (isHere() ? here(request, response) : both(request, response));
  }

  /** @throws Error with its output, when it does not start */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ["scripts/start.mjs"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_ENV: "production", ...this.#environment },
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        this.#output += chunk;
      });
    }
    const address = `http://${this.#host}:${this.#environment.PORT}/readyz`;
    for (let tries = 0; !(await fetch(address).catch(() => null))?.ok; tries++) {
      if (child.exitCode !== null || tries > 600) throw new Error(`The second web did not start:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** @throws Error when its framework complained */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = null;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    const complaint = this.#output.split("\n").find((line) => frameworkComplaint.test(line));
    if (complaint) throw new Error(`The second web said: ${complaint}`);
  }
}
