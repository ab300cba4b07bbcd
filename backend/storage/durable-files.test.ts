import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./durable-files.ts";
import { watchSyncs } from "./testing/watched-syncs.ts";

test.runIf(process.platform === "linux")(
  "a folder is made with the names of all that it lies in on the disk",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
    const synced = await watchSyncs();
    try {
      await makeFolder(join(folder, "srv/clutchcast/data"));
      expect(synced.paths).toEqual([join(folder, "srv/clutchcast"), join(folder, "srv"), folder]);
    } finally {
      synced.stop();
      rmSync(folder, { recursive: true });
    }
  },
);
