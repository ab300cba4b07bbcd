import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openEmbeddedDatabase } from "./embedded-database.ts";
import { programOf } from "./testing/fork-source.ts";
import { freshPlace, migratedPlace } from "./testing/fresh-database.ts";

const log = pino({ level: "silent" });

const mounting = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const canMount = spawnSync("unshare", [...mounting, "mount -t tmpfs -o size=1m none /mnt"]).status === 0;

/**
 * Runs a script of `testing/` with the files of a database, by default a new one, as its DATA_DIR on a separate disk in memory, and copies
 * them back: the mount ends with the shell.
 */
async function runOnSmallDisk(name: string, megabytes: number, given = freshPlace("embedded")) {
  const place = await given;
  const disk = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  const program = programOf(new URL(`./testing/${name}`, import.meta.url));
  const shell = `disk=$0 place=$1 && shift && mount -t tmpfs -o size=${megabytes}m none "$disk" &&
    cp -r "$place/postgres" "$disk" && "$@" "$disk"
    echo "exit $?" && rm -rf "$place/postgres" && cp -r "$disk/postgres" "$place"`;
  const run = spawn("unshare", [...mounting, shell, disk, place.DATA_DIR, process.execPath, ...program]);
  const [stdout, stderr] = await Promise.all([text(run.stdout), text(run.stderr)]);
  rmSync(disk, { recursive: true });
  const lines = stdout.trim().split("\n");
  return { DATA_DIR: place.DATA_DIR, stderr, exit: lines.pop(), lines };
}

test.runIf(canMount)(
  "on a full disk pages are read and rows deleted, writes fail by themselves, a start works",
  async () => {
    const { DATA_DIR, lines, exit, stderr } = await runOnSmallDisk("live-on-full-disk.ts", 250);
    expect(stderr).toBe("");
    expect(exit).toBe("exit 0");
    const outcome = JSON.parse(lines.at(-1)!);
    expect(outcome).toMatchObject({ freeBlocks: 0, read: 200, deleted: 20, large: 8, lost: 0, other: [] });
    expect(outcome).toMatchObject({ numbered: true, copied: false });
    expect(outcome.refused).toBeGreaterThan(0);
    // Several times the room that is reserved for the log.
    expect(outcome.loggedMiB).toBeGreaterThan(300);
    rmSync(DATA_DIR, { recursive: true });
  },
);

test.runIf(canMount)(
  "on a disk that others have filled players sign in, to delete what they have, in the room that was kept for it",
  async () => {
    const { DATA_DIR, lines, stderr } = await runOnSmallDisk("sign-in-on-full-disk.ts", 250, migratedPlace("embedded"));
    expect(stderr).toBe("");
    expect(JSON.parse(lines.at(-1)!)).toEqual({ freeBlocks: 0, signedIn: 500, refused: 0 });
    rmSync(DATA_DIR, { recursive: true });
  },
);

test.runIf(canMount)(
  "a statement that outgrows the log's room ends the process with a sentence and loses no commit",
  async () => {
    const { DATA_DIR, lines, exit, stderr } = await runOnSmallDisk("fill-log-disk.ts", 120);
    expect(stderr).toContain("No space left on device");
    expect(stderr).toContain("Nothing stored is lost.");
    expect(exit).toBe("exit 1");
    const acknowledged = Number(lines.at(-1));
    expect(acknowledged).toBe(40);
    const { pool, close } = await openEmbeddedDatabase(DATA_DIR, log);
    expect((await pool.query("SELECT n FROM numbers")).rows[0].n).toBeGreaterThanOrEqual(acknowledged);
    await close();
    rmSync(DATA_DIR, { recursive: true });
  },
);

test.runIf(canMount)(
  "a disk without room for a new database is told in a sentence, and nothing is left on it",
  async () => {
    const { DATA_DIR, lines, stderr } = await runOnSmallDisk("start-on-small-disk.ts", 70);
    expect(stderr).toBe("");
    const outcomes = lines.map((line) => JSON.parse(line));
    // Too small from the start; and filled by others while the database is created.
    for (const outcome of outcomes) {
      expect(outcome.sentence).toMatch(
        /^A new database needs 160 MiB of free disk space, and \/.* has \d+ MiB\. Make room/,
      );
      expect(outcome.left).toEqual([]);
    }
    expect(outcomes).toHaveLength(2);
    rmSync(DATA_DIR, { recursive: true });
  },
);
