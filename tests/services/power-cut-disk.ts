import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A small disk whose power can be cut: ext4 in a file, mounted through a loop device. `cut` is ext4's own shutdown without flushing its
 * journal: unsynced data is gone after the next mount, as after a power cut.
 */
export interface PowerCutDisk {
  /** Mount point; empty at first. */
  folder: string;
  /** From then on nothing reaches the disk, and writes fail. */
  cut(): void;
  /** Mounts it again in its state at the cut. @throws Error while a process of this mount has it open; try again then */
  remount(): void;
  /** Unmounts it and removes its file. May be called twice. */
  remove(): void;
}

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH, from the kernel's fs/ext4/ext4.h. Perl is on every Debian. */
const shutdown = 'open(my $d, "<", $ARGV[0]) or die $!; my $f = pack("I", 2); ioctl($d, 0x8004587D, $f) or die $!';

function run(program: string, ...parameters: string[]): void {
  const { status, stderr, error } = spawnSync(program, parameters, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr.trim()}`);
}

const isMounted = (folder: string) => spawnSync("mountpoint", ["-q", folder]).status === 0;

/** Whether all loop devices have released an image; waits briefly, since the kernel does so some time after the unmount. */
function isReleased(image: string): boolean {
  for (let tries = 0; tries < 20; tries++) {
    const { stdout } = spawnSync("losetup", ["--associated", image], { encoding: "utf8" });
    if (stdout === "") return true;
    spawnSync("sleep", ["0.1"]);
  }
  return false;
}

/** Makes such a disk. @throws Error where the machine does not allow it */
export function makePowerCutDisk(megabytes: number): PowerCutDisk {
  const place = mkdtempSync(join(tmpdir(), "clutchcast-disk-"));
  let image = join(place, "image");
  const folder = join(place, "disk");
  const mount = () => run("mount", "-o", "loop", image, folder);
  try {
    writeFileSync(image, "");
    truncateSync(image, megabytes * 1024 ** 2);
    mkdirSync(folder);
    run("mkfs.ext4", "-q", "-F", image);
    mount();
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    cut: () => run("perl", "-e", shutdown, folder),
    remount() {
      if (isMounted(folder)) run("umount", folder);
      // Contained children of tests that run at the same time have their own mounts, and until they are gone this device shows the disk
      // without power. A copy has what had reached the disk.
      if (!isReleased(image)) {
        const copy = `${image}-again`;
        run("cp", "--sparse=always", image, copy);
        image = copy;
      }
      mount();
    },
    remove() {
      if (!existsSync(place)) return;
      // Lazily, because a database that could not be opened after the cut keeps its files open until its process ends.
      if (isMounted(folder)) run("umount", "--lazy", folder);
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Why this machine cannot cut the power of a disk, found by trying; null when it can. */
export function noPowerCutsBecause(): string | null {
  if (process.platform !== "linux") return "needs Linux";
  if (process.getuid?.() !== 0) return "needs root, to mount a disk";
  if (!existsSync("/dev/loop-control")) return "needs loop devices";
  try {
    const disk = makePowerCutDisk(8);
    try {
      disk.cut();
      disk.remount();
    } finally {
      disk.remove();
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
