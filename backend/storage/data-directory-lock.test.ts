import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DataDirectoryInUseError, lockByFile, lockDataDirectory } from "./data-directory-lock.ts";
import { forkSource } from "./testing/fork-source.ts";

const locks = { "as this system does it": lockDataDirectory, "by file": lockByFile };
const freshFolder = () => mkdtempSync(join(tmpdir(), "clutchcast-test-"));

for (const [way, lock] of Object.entries(locks)) {
  test(`one of twenty starters gets the lock ${way}, and the next one after its release`, async () => {
    const folder = freshFolder();
    const starters = await Promise.allSettled(Array.from({ length: 20 }, () => lock(folder)));
    const won = starters.filter((starter) => starter.status === "fulfilled");
    expect(won).toHaveLength(1);
    for (const starter of starters) {
      if (starter.status === "rejected") expect(starter.reason).toBeInstanceOf(DataDirectoryInUseError);
    }
    await won[0]!.value.release();
    await (await lock(folder)).release();
    rmSync(folder, { recursive: true });
  });

  test(`the lock of a killed process is free ${way}`, async () => {
    const folder = freshFolder();
    const source = new URL("./testing/lock-holder.ts", import.meta.url);
    const holder = forkSource(source, [folder, way === "by file" ? "file" : "system"]);
    await once(holder, "message");
    await expect(lock(folder)).rejects.toThrow(folder);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await (await lock(folder)).release();
    rmSync(folder, { recursive: true });
  });
}

test("a folder and a link to it are one folder", async () => {
  const folder = freshFolder();
  const linked = `${folder}-link`;
  symlinkSync(folder, linked);
  const first = await lockDataDirectory(folder);
  await expect(lockDataDirectory(linked)).rejects.toBeInstanceOf(DataDirectoryInUseError);
  await first.release();
  rmSync(linked);
  rmSync(folder, { recursive: true });
});

test("a lock file left empty by a power loss is in nobody's way", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "clutchcast.pid"), "");
  await (await lockByFile(folder)).release();
  expect(existsSync(join(folder, "clutchcast.pid"))).toBe(false);
  rmSync(folder, { recursive: true });
});
