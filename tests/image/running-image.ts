import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../services/product.ts";

/** The tag that `docker build -t` gave it. */
const image = process.env.IMAGE ?? "clutchcast";
/** An unpacked image (`buildah mount`), for machines without an engine: run as root by chroot, with a read-only root all the same. */
const unpacked = process.env.IMAGE_ROOT;

/** In place of an engine: mounts of its own, everything but /data and /tmp read-only. */
const withoutEngine = `
  mount --make-rprivate /
  mount --bind "$ROOT" "$ROOT"; mkdir -p "$ROOT/data" "$ROOT/tmp" "$ROOT/proc"
  mount --bind "$DATA" "$ROOT/data"; mount -t tmpfs tmpfs "$ROOT/tmp"; mount -t proc proc "$ROOT/proc"
  mount --bind /dev "$ROOT/dev"
  mount -o remount,bind,ro "$ROOT"
  exec chroot "$ROOT" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
    NODE_ENV=production DATA_DIR=/data "$@"
`;

/** Docker or what speaks like it. */
function engine(): string {
  const found = ["docker", "podman"].find((name) => spawnSync(name, ["version"], { stdio: "ignore" }).status === 0);
  if (!found) throw new Error("Neither docker nor podman runs here: name an unpacked image with IMAGE_ROOT, as root.");
  return found;
}

export interface RunningImage {
  url: string;
  dataFolder: string;
  output(): string;
  /** The operator's command in the running container. @returns what it prints */
  operator(...words: string[]): string;
  /** As `docker stop` ends it. @returns the exit code */
  stop(): Promise<number | null>;
}

/**
 * Starts the image with a read-only root and an empty folder for /data that belongs to root.
 * @param settings e.g. PUID
 */
export async function startImage(settings: Record<string, string>): Promise<RunningImage> {
  const port = await freePort();
  const dataFolder = mkdtempSync(join(tmpdir(), "clutchcast-image-"));
  const variables = { ...settings, PORT: String(port) };
  const name = `clutchcast-test-${port}`;
  let child: ChildProcess;
  if (unpacked) {
    const given = Object.entries(variables).map(([key, value]) => `${key}=${value}`);
    const kinds = ["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"];
    const start = ["tini", "--", "/app/start", "node", "build/server.js"];
    child = spawn("unshare", [...kinds, "sh", "-euc", withoutEngine, "start", ...given, ...start], {
      env: { ...process.env, ROOT: unpacked, DATA: dataFolder },
      stdio: ["ignore", "pipe", "pipe"],
    });
  } else {
    const given = Object.entries(variables).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
    // The built-in identity provider answers on loopback only, which is the host's then.
    const bounds = ["--read-only", "--tmpfs", "/tmp", "--network", "host", "--security-opt", "no-new-privileges"];
    child = spawn(
      engine(),
      ["run", "--rm", "--name", name, ...bounds, "--volume", `${dataFolder}:/data`, ...given, image],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
  }
  let output = "";
  child.stdout?.on("data", (text) => (output += text));
  child.stderr?.on("data", (text) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = `http://localhost:${port}`;
  const isThere = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true;
  for (let tries = 0; !(await isThere()); tries++) {
    if (child.exitCode !== null || tries > 240) throw new Error(`The image does not start:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return {
    url,
    dataFolder,
    output: () => output,
    operator(...words) {
      if (!unpacked) return execFileSync(engine(), ["exec", name, "operator", ...words], { encoding: "utf8" });
      // unshare's child is tini: process 1 of the container.
      const [inside] = execFileSync("pgrep", ["-P", String(child.pid)], { encoding: "utf8" }).split("\n");
      const enter = ["--target", String(inside), "--mount", "--pid", "--root", "--wd"];
      const variables = [
        "/usr/bin/env",
        "-i",
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "DATA_DIR=/data",
        ...Object.entries(settings).map((pair) => pair.join("=")),
      ];
      return execFileSync("nsenter", [...enter, ...variables, "operator", ...words], { encoding: "utf8" });
    },
    async stop() {
      if (child.exitCode !== null) return ended;
      if (unpacked) execFileSync("pkill", ["-TERM", "-P", String(child.pid)]);
      else execFileSync(engine(), ["stop", "--time", "20", name]);
      return ended;
    },
  };
}

/** Bytes of all files of the image, a hard link once. */
export function imageBytes(): number {
  if (!unpacked)
    return Number(execFileSync(engine(), ["image", "inspect", "--format", "{{.Size}}", image], { encoding: "utf8" }));
  return Number(/^\d+/.exec(execFileSync("du", ["-sxb", unpacked], { encoding: "utf8" }))?.[0]);
}

/** Whom a file of the data folder belongs to, as "uid:gid"; null: it is not there. */
export function ownerOf(path: string): string | null {
  if (!existsSync(path)) return null;
  const { uid, gid } = statSync(path);
  return `${uid}:${gid}`;
}
