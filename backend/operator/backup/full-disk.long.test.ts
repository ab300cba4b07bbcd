import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programOf } from "../../storage/testing/fork-source.ts";
import { migratedPlace } from "../../storage/testing/fresh-database.ts";

const mounting = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const canMount = spawnSync("unshare", [...mounting, "mount -t tmpfs -o size=1m none /mnt"]).status === 0;

test.runIf(canMount)(
  "a backup whose disk others fill is given up and leaves nothing, and is made once there is room",
  async () => {
    const place = await migratedPlace("embedded");
    const disk = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
    const program = programOf(new URL("../testing/backup-onto-small-disk.ts", import.meta.url));
    const shell = 'disk=$0 && mount -t tmpfs -o size=80m none "$disk" && "$@" "$disk"';
    const run = spawnSync("unshare", [...mounting, shell, disk, process.execPath, ...program, place.DATA_DIR], {
      encoding: "utf8",
    });
    for (const folder of [disk, place.DATA_DIR]) rmSync(folder, { recursive: true });
    expect(run.stderr).toBe("");
    const givenUp = {
      said: expect.stringMatching(/^The disk is full\. Nothing was kept of the backup/),
      left: ["others"],
    };
    expect(JSON.parse(run.stdout)).toEqual({ toTheLastByte: givenUp, toTheFloor: givenUp, roomAgain: true });
  },
);
