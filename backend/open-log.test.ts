import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const mounting = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const canMount = spawnSync("unshare", [...mounting, "mount -t tmpfs -o size=1m none /mnt"]).status === 0;

test.runIf(canMount)("a log on a full disk loses lines and nothing else, and goes on when there is room", () => {
  const disk = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  const tsx = createRequire(import.meta.url).resolve("tsx");
  const module = new URL("./open-log.ts", import.meta.url).href;
  // A megabyte of room, three megabytes of lines, then room again.
  const program = `
    import { rmSync, writeFileSync } from "node:fs";
    import { setTimeout } from "node:timers/promises";
    import { openLog } from ${JSON.stringify(module)};
    const log = openLog("info");
    writeFileSync("filling", Buffer.alloc(900_000));
    for (let n = 0; n < 300; n++) {
      log.info({ filling: "x".repeat(10_000) }, "line " + n);
      if (n % 10 === 0) await setTimeout(1);
    }
    rmSync("filling");
    for (let n = 0; n < 3; n++) {
      log.info("room " + n);
      await setTimeout(50);
    }
    process.stderr.write("alive");`;
  const shell =
    'mount -t tmpfs -o size=1m none "$0" && cd "$0" && "$1" --import "$2" --input-type=module -e "$3" > log; grep -c room log';
  const run = spawnSync("unshare", [...mounting, shell, disk, process.execPath, tsx, program], {
    encoding: "utf8",
    timeout: 30_000,
  });
  expect(run.stderr).toBe("alive");
  expect(run.stdout.trim()).toBe("3");
  rmSync(disk, { recursive: true });
});

test("a log whose pipe nobody reads holds the process up once, and not at every line", async () => {
  const tsx = createRequire(import.meta.url).resolve("tsx");
  const module = new URL("./open-log.ts", import.meta.url).href;
  const program = `
    import { openLog } from ${JSON.stringify(module)};
    const log = openLog("info");
    const began = performance.now();
    for (let n = 0; n < 200; n++) log.info({ filling: "x".repeat(10_000) }, "line " + n);
    process.send(performance.now() - began);`;
  const child = spawn(process.execPath, ["--import", tsx, "--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  // Never read: a pipe holds 64 KiB, and Node reads as much ahead only on demand.
  child.stdout?.pause();
  const heldUpMs = await new Promise<number>((resolve) => child.once("message", (ms) => resolve(ms as number)));
  child.kill("SIGKILL");
  expect(heldUpMs).toBeLessThan(20_000);
});
