import { readFileSync, readlinkSync } from "node:fs";
import { lstat, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";

/** In a work folder: whose it is. */
const markName = ".clutchcast-run.json";
const longestMark = 1000;

/** Names that `mkdtemp` gives work folders. */
const workFolderName = /-[A-Za-z0-9]{6}$/;

const markSchema = z.object({
  program: z.literal("clutchcast"),
  pid: z.int().positive(),
  host: z.string(),
  /** Of this run of the machine. Null where the system does not tell. */
  boot: z.string().nullable(),
  /** Within which the process id means something: another container has its own. */
  namespace: z.string().nullable(),
  /** When the process began, as the system counts; by that another process with the same id is told. */
  began: z.string().nullable(),
});

type RunMark = z.infer<typeof markSchema>;

function orNull(read: () => string): string | null {
  try {
    return read().trim() || null;
  } catch {
    return null;
  }
}

/** Of a process that runs; null where the system does not tell. Source: proc_pid_stat(5), field 22, after the name in brackets. */
const beganAt = (pid: number) =>
  orNull(
    () =>
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[19] ?? "",
  );

function ownMark(): RunMark {
  return {
    program: "clutchcast",
    pid: process.pid,
    host: hostname(),
    boot: orNull(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    namespace: orNull(() => readlinkSync("/proc/self/ns/pid")),
    began: beganAt(process.pid),
  };
}

/** Says in a work folder whose it is. */
export async function markAsOwn(folder: string): Promise<void> {
  await writeFile(join(folder, markName), JSON.stringify(ownMark()));
}

/**
 * Whether the run that made a mark is gone for sure. Of another machine's, or another container's, nobody here knows.
 * @param own the mark of a run of now
 */
export function isGone(mark: RunMark, own: RunMark): boolean {
  if (mark.host !== own.host) return false;
  if (mark.boot !== own.boot) return mark.boot !== null && own.boot !== null;
  if (mark.namespace !== own.namespace) return false;
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    // Not EPERM: somebody else's process has the id.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return true;
  }
  const began = beganAt(mark.pid);
  return mark.began !== null && began !== null && began !== mark.began;
}

/** Folders that this process has looked through. */
const swept = new Set<string>();

/**
 * Removes work folders in a folder that runs have left which ended without a chance to (`kill -9`, a power cut); once in this process.
 * Only what bears a mark of ours, and belongs to whoever runs this. What cannot be looked at or removed stays, and is nobody's problem.
 */
export async function sweepAbandoned(parent: string): Promise<void> {
  if (swept.has(parent)) return;
  swept.add(parent);
  const own = ownMark();
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isDirectory() || !workFolderName.test(entry.name)) continue;
    const folder = join(parent, entry.name);
    const mark = await markOf(folder).catch(() => null);
    if (mark && isGone(mark, own)) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function markOf(folder: string): Promise<RunMark | null> {
  const path = join(folder, markName);
  const found = await lstat(path);
  const isOwn = !process.getuid || found.uid === process.getuid();
  if (!found.isFile() || found.size > longestMark || !isOwn) return null;
  return markSchema.safeParse(JSON.parse(await readFile(path, "utf8"))).data ?? null;
}
