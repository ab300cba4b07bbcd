import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openEmbeddedDatabase } from "./embedded-database.ts";
import { restrictToOwner } from "./owner-only.ts";

/** Paths in a folder, including itself, to which its group or others have any right. */
function openToOthers(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return [folder, ...paths].filter((path) => (statSync(path).mode & 0o077) !== 0);
}

/** PostgreSQL writes this list of its own tables at each start, readable for everybody; its folders are closed. */
const isOurs = (path: string) => !path.endsWith("/pg_internal.init");

const hasRights = process.platform !== "win32";

test.runIf(hasRights)("What is stored, before and from then on, is its owner's alone", async () => {
  const before = process.umask(0o022);
  const dataDirectory = join(mkdtempSync(join(tmpdir(), "clutchcast-test-")), "data");
  try {
    mkdirSync(join(dataDirectory, "postgres/base/1"), { recursive: true });
    writeFileSync(join(dataDirectory, "postgres/base/1/16384"), "rows");
    chmodSync(join(dataDirectory, "postgres/base/1/16384"), 0o666);
    expect(openToOthers(dataDirectory).length).toBe(5);
    expect(await restrictToOwner(dataDirectory)).toBeNull();
    mkdirSync(join(dataDirectory, "blobs/clips"), { recursive: true });
    writeFileSync(join(dataDirectory, "blobs/clips/video.mp4"), "video");
    expect(openToOthers(dataDirectory)).toEqual([]);
  } finally {
    process.umask(before);
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});

test.runIf(hasRights)("A new database is its owner's alone, and stays it", async () => {
  const before = process.umask(0o022);
  const dataDirectory = join(mkdtempSync(join(tmpdir(), "clutchcast-test-")), "data");
  try {
    await restrictToOwner(dataDirectory);
    const { pool, close } = await openEmbeddedDatabase(dataDirectory, pino({ level: "silent" }));
    await pool.query("CREATE TABLE rows AS SELECT n, repeat('x', 1000) AS filling FROM generate_series(1, 5000) AS n");
    await pool.query("CHECKPOINT");
    expect(openToOthers(dataDirectory).filter(isOurs)).toEqual([]);
    await close();
    expect(openToOthers(dataDirectory).filter(isOurs)).toEqual([]);
  } finally {
    process.umask(before);
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});

test.runIf(hasRights)("A folder in which other things lie keeps its rights", async () => {
  const before = process.umask(0o022);
  const home = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  try {
    chmodSync(home, 0o755);
    writeFileSync(join(home, "letter.txt"), "not ours");
    await restrictToOwner(home);
    expect(openToOthers(home)).toEqual([home, join(home, "letter.txt")]);
  } finally {
    process.umask(before);
    rmSync(home, { recursive: true, force: true });
  }
});
