import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { ChildEntry } from "../child-process-entry.ts";

/** The part of the file system that a child sees. */
export interface ChildPlace {
  /** The child's own folder, the only writable one. */
  directory: string;
  /** Files it may read besides its program. */
  readable: readonly string[];
}

/** Where the child's programs are. */
export interface ChildPrograms {
  entry: ChildEntry;
  /** Other programs that it starts, by path or by a name that is looked up on PATH. */
  started: readonly string[];
}

/** A path that cannot be passed to the script. Unlikely, but a child must not run unconfined because of it. */
class UnusablePathError extends Error {}

/** Programs and libraries of the system, without its configuration, which contains hosts, keys and users. */
const systemPlaces = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc/ld.so.cache",
  "/etc/alternatives",
  "/nix/store",
  "/gnu/store",
];
const devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/**
 * Runs as root of a new user namespace, in new mount, network, process and IPC namespaces. Builds a file system in memory from only what is
 * named, makes it the root, gives up every right over it and becomes the child.
 * The new root is mounted over the child's own folder while it is built, so that it hides nothing that is still to be mounted; the folder
 * itself is then reached as the working directory. Lists are separated by line ends, a link from its target by a tab.
 * The first process of a process namespace receives no signal that it does not handle, not even those of its own faults and limits, so the
 * child is the second one. Its end becomes the exit code of all, 128 and more for signals.
 * Where a fresh proc is refused, as in containers that hide parts of theirs, the existing one is used. Either is read-only: if root of the
 * system ran the server, proc's settings would otherwise be open to a child without any right.
 */
const script = `
set -euf
IFS='
'
own=$1 directories=$2 files=$3 links=$4 mounts=$5 inner_directories=$6 inner_files=$7 inner_mounts=$8 submounts=$9
shift 9
PATH=$PATH:/usr/sbin:/sbin
cd "$own"
mount -t tmpfs -o mode=0755,nosuid,nodev,size=4m none "$own"
mkdir -p -- $directories
for file in $files; do : > "$file"; done
for link in $links; do ln -s -- "\${link%%\t*}" "\${link#*\t}"; done
printf '%s\\n' "$mounts" > "$own/mounts"
mount -a -T "$own/mounts"
echo 0 2>/dev/null > /proc/sys/user/max_user_namespaces || :
mount -t proc -o ro,nosuid,nodev,noexec proc "$own/proc" 2>/dev/null || mount -o rbind,ro,nosuid,nodev,noexec /proc "$own/proc"
for submount in $submounts; do mount -o "remount,bind,ro,\${submount%% *}" "\${submount#* }"; done
mkdir -p -- $inner_directories
for file in $inner_files; do : > "$file"; done
mount -c -o bind,nosuid,nodev,noexec . "$own$own"
printf '%s\\n' "$inner_mounts" > "$own/mounts"
mount -a -T "$own/mounts"
: > "$own/mounts"
cd "$own"
pivot_root . .
umount -l .
mount -o remount,bind,ro,nosuid,nodev /
cd "$own"
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all -- sh -c '"$@" || exit $?' first "$@"
`;

/**
 * The command line that runs a command in its own namespaces: without network, other processes, files except its programs and its place, or
 * the right to change any of that (decision 093). Needs util-linux.
 * @param hidden folders that stay hidden even within a visible one
 * @throws UnusablePathError
 */
export function confinedCommand(
  command: readonly string[],
  place: ChildPlace,
  programs: ChildPrograms,
  hidden: readonly string[],
): string[] {
  const own = realpathSync(place.directory);
  const inRoot = (path: string) => join(own, path);
  const started = [process.execPath, ...programs.started.flatMap((program) => onPath(program) ?? [])];
  const places = [
    ...systemPlaces,
    ...started.flatMap((path) => programFiles(realpathSync(path))),
    ...libraryFolders(),
    ...modulePlaces(programs.entry),
  ];
  const visible = outermost(places.filter((path) => existsSync(path)));
  const isLink = (path: string) => lstatSync(path).isSymbolicLink();
  const systemLinks = visible.filter((path) => systemPlaces.includes(path) && isLink(path));
  const bound = visible.filter((path) => !systemLinks.includes(path));
  const links = [
    ...systemLinks.map((path) => ({ path, target: readlinkSync(path) })),
    ...[...new Set(started)]
      .map((path) => ({ path, target: realpathSync(path) }))
      .filter(({ path, target }) => path !== target && !isWithinAny(path, visible)),
  ];
  const covered = hidden
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .filter((path) => isWithinAny(path, bound));
  const temporary = programs.entry.environment?.TMPDIR;
  const readable = place.readable
    .map((path) => ({ path, source: realpathSync(path) }))
    .filter(({ path }) => !isWithinAny(path, bound) || isWithinAny(path, covered));
  const targets = [...bound, ...devices];
  const isFolder = (path: string) => statSync(path).isDirectory();
  const folderOf = (path: string) => (isFolder(path) ? path : dirname(path));

  const directories = [
    ...targets.map(folderOf),
    ...links.map(({ path }) => dirname(path)),
    "/proc",
    ...(temporary ? [temporary] : []),
  ];
  const files = targets.filter((path) => !isFolder(path));
  const mounts = [
    ...bound.map((path) => tableRow(path, inRoot(path), `${isFolder(path) ? "rbind" : "bind"},ro,nosuid,nodev`)),
    ...devices.map((path) => tableRow(path, inRoot(path), "bind")),
    ...covered.map((path) => tableRow("none", inRoot(path), "size=64k,mode=0755,nosuid,nodev,noexec", "tmpfs")),
    ...(temporary ? [tableRow("none", inRoot(temporary), "size=256m,mode=0700,nosuid,nodev,noexec", "tmpfs")] : []),
  ];
  const innerMounts = readable.map(({ path, source }) => tableRow(source, inRoot(path), "bind,ro,nosuid,nodev,noexec"));
  const lists = [
    directories.map(inRoot),
    files.map(inRoot),
    links.map(({ path, target }) => `${target}\t${inRoot(path)}`),
    mounts,
    [own, ...readable.map(({ path }) => dirname(path))].map(inRoot),
    readable.map(({ path }) => inRoot(path)),
    innerMounts,
    writableMountsBelow(bound)
      .filter(({ path }) => !isWithinAny(path, covered))
      .map(({ path, flags }) => `${flags} ${inRoot(path)}`),
  ];
  const isUnspeakable = (text: string) => text.includes("\n");
  const hasTab = ({ path, target }: (typeof links)[number]) => /\t/.test(path + target);
  const unspeakable = lists.flat().find(isUnspeakable) ?? links.find(hasTab)?.path;
  if (unspeakable !== undefined) throw new UnusablePathError(JSON.stringify(unspeakable));
  return [
    ...["unshare", "--user", "--map-root-user", "--mount", "--net", "--ipc", "--pid", "--fork", "--kill-child=KILL"],
    ...["--", "sh", "-c", script, "confine", own, ...lists.map((list) => list.join("\n"))],
    ...command,
  ];
}

/**
 * A program and the libraries shipped with it: beside it, or in `lib` beside its `bin`. Not the whole folder, which may be somebody's home
 * with keys and notes.
 */
function programFiles(program: string): string[] {
  if (isWithinAny(program, systemPlaces)) return [];
  const folder = dirname(program);
  const libraryFolder = basename(folder) === "bin" ? [join(dirname(folder), "lib")] : [];
  return [program, ...[folder, ...libraryFolder].flatMap(librariesIn)];
}

function librariesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.so(\.\d+)*$/.test(name))
      .map((name) => join(folder, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  } catch {
    // Missing or unreadable: then the program cannot use them either.
    return [];
  }
}

function libraryFolders(): string[] {
  return (process.env.LD_LIBRARY_PATH ?? "").split(":").filter((path) => isAbsolute(path));
}

/**
 * For a build, only its folder, its packages and the package.json that sets the type of its files: the data is beside them by default. For
 * sources, from which only development and tests run, everything.
 */
function modulePlaces({ modulePath, environment }: ChildEntry): string[] {
  const folder = dirname(modulePath);
  const isBuild = environment === undefined;
  for (let root = folder; root !== dirname(root); root = dirname(root)) {
    const packages = join(root, "node_modules");
    if (!existsSync(packages)) continue;
    return [...(isBuild ? [folder, join(root, "package.json"), packages] : [root]), realpathSync(packages)];
  }
  return [folder];
}

function onPath(program: string): string | null {
  if (program.includes("/")) return existsSync(program) ? resolve(program) : null;
  const folders = (process.env.PATH ?? "").split(delimiter).filter((path) => isAbsolute(path));
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

function isWithinAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(path, folder));
}

/** Leaves out paths within another one. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isWithin(path, other)));
}

/** Writable mounts below some folders: making a folder read-only does not affect them. Source: proc_pid_mountinfo(5). */
function writableMountsBelow(folders: readonly string[]): { path: string; flags: string }[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, , , , escaped, options] = line.split(" ");
      if (!escaped || !options) return [];
      const path = escaped.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
      if (!folders.some((folder) => folder !== path && isWithin(path, folder))) return [];
      const [mode, ...flags] = options.split(",");
      return mode === "rw" ? [{ path, flags: ["nosuid", "nodev", ...flags].join(",") }] : [];
    });
}

/** A row of fstab(5). */
function tableRow(source: string, target: string, options: string, type = "none"): string {
  const escaped = (text: string) =>
    text.replace(/[\s\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return [escaped(source), escaped(target), type, options, "0", "0"].join(" ");
}
