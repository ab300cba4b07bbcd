import { createHash } from "node:crypto";
import { chmod, mkdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import type { Services } from "../services.ts";
import { deadlines } from "../waits/deadlines.ts";
import { runOperatorCommand } from "./operator-commands.ts";
import { OperatorError } from "./operator-error.ts";

/** Longest path of a Unix socket on every system (macOS: 104 bytes including the terminator). */
const maxSocketPathLength = 100;

/** Length of a command's words as JSON. */
const maxCommandBytes = 64 * 1024;

/**
 * The socket on which a server with the embedded database takes the operator's commands: only the server has the database open, so the
 * operator's program asks it. Write access to this socket allows everything; the file's mode restricts it to the server's user.
 */
export function operatorSocketPath(dataDirectory: string): string {
  const directory = resolve(dataDirectory);
  const digest = createHash("sha256").update(directory).digest("hex").slice(0, 24);
  if (process.platform === "win32") return `\\\\.\\pipe\\clutchcast-operator-${digest}`;
  const path = join(directory, "operator.sock");
  return Buffer.byteLength(path) <= maxSocketPathLength ? path : join(tmpdir(), `clutchcast-${digest}.sock`);
}

/** Takes commands until closed. */
export async function serveOperator(services: Services): Promise<{ close(): Promise<void> }> {
  const { config, log } = services;
  return await serve(config.DATA_DIR, log, async (words) => {
    log.info({ command: words }, "operator");
    return await runOperatorCommand(services, words);
  });
}

/**
 * Answers every command with a sentence until closed, and so keeps everybody else from opening the directory, including a server in another
 * container on the same volume.
 */
export async function keepClosed(
  dataDirectory: string,
  log: Logger,
  sentence: string,
): Promise<{ close(): Promise<void> }> {
  return await serve(dataDirectory, log, async () => {
    throw new OperatorError(sentence);
  });
}

/** The caller holds the lock of the data directory, so an existing socket file is a leftover. */
async function serve(
  dataDirectory: string,
  log: Logger,
  run: (words: string[]) => Promise<string>,
): Promise<{ close(): Promise<void> }> {
  const path = operatorSocketPath(dataDirectory);
  const server = createServer(async (incoming, response) => {
    const answer = (status: number, text: string) => response.writeHead(status, { Connection: "close" }).end(text);
    try {
      answer(200, await run(JSON.parse(await commandText(incoming)) as string[]));
    } catch (error) {
      if (error instanceof OperatorError) answer(400, error.message);
      else {
        log.error({ err: error }, "operator command failed");
        answer(500, `It failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  });
  // A retention run may take long.
  server.requestTimeout = 0;
  await mkdir(resolve(dataDirectory), { recursive: true });
  if (process.platform !== "win32") await rm(path, { force: true });
  const listening = new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject));
  // Bound synchronously, so that nobody can connect before the mode is set.
  const mask = process.umask(0o177);
  server.listen(path);
  process.umask(mask);
  await listening;
  if (process.platform !== "win32") await chmod(path, 0o600);
  server.unref();
  return {
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** @throws OperatorError for a text that is longer than any command */
async function commandText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection is still needed for the answer.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    bytes += chunk.byteLength;
    if (bytes > maxCommandBytes) throw new OperatorError(`A command may have at most ${maxCommandBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/**
 * Whether a server answers for this data directory. Also finds one in another container that shares the volume, which the directory's lock
 * cannot: its name is limited to one network namespace.
 */
export async function isServed(dataDirectory: string): Promise<boolean> {
  const socket = connect(operatorSocketPath(dataDirectory));
  const answers = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    // It exists, though it is too busy to answer.
    socket.setTimeout(deadlines.operatorConnectMs, () => resolve(true));
  });
  socket.destroy();
  return answers;
}

/**
 * Asks the running server. @returns its answer, or null when no server runs on this data directory
 * @throws OperatorError with the server's sentence
 */
export async function askRunningServer(dataDirectory: string, words: readonly string[]): Promise<string | null> {
  return await new Promise((resolve, reject) => {
    const asking = request({ socketPath: operatorSocketPath(dataDirectory), method: "POST" }, async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new OperatorError(text));
      } catch (error) {
        reject(error);
      }
    });
    asking.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null);
      else if (error.code === "EACCES") {
        reject(new OperatorError("The server runs as another user: run this command as that user."));
      } else reject(error);
    });
    asking.end(JSON.stringify(words));
  });
}
