import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSession } from "../../backend/accounts/sessions.ts";
import { readConfig } from "../../backend/config.ts";
import { openServices } from "../../backend/open-services.ts";
import { forkSource } from "../../backend/storage/testing/fork-source.ts";
import { makePowerCutDisk, noPowerCutsBecause } from "../services/power-cut-disk.ts";
import type { Acknowledged } from "./power-cut-process.ts";

const reason = noPowerCutsBecause();

/** Files that are stored before the cut, which comes some seconds after the first start. */
const storedBeforeCut = 20;

test.skipIf(reason)(
  `a power cut after the first start's sign-in and ${storedBeforeCut} stored files loses nothing${reason ? ` (${reason})` : ""}`,
  async () => {
    const disk = makePowerCutDisk(512);
    // Folders that the first start makes can be lost as well.
    const DATA_DIR = join(disk.folder, "srv/clutchcast/data");
    try {
      const process = forkSource(new URL("./power-cut-process.ts", import.meta.url), [DATA_DIR]);
      const ended = once(process, "exit");
      let token = "";
      let stored = 0;
      await new Promise<void>((cut, reject) => {
        process.once("exit", () => reject(new Error("It ended before the power was cut.")));
        process.on("message", (acknowledged: Acknowledged) => {
          token ||= acknowledged.token ?? "";
          if (acknowledged.stored !== undefined) stored = acknowledged.stored + 1;
          if (token && stored >= storedBeforeCut) cut();
        });
      });
      disk.cut();
      process.kill("SIGKILL");
      await ended;
      disk.remount();

      const { services, close } = await openServices(readConfig({ LOG_LEVEL: "silent", DATA_DIR }));
      expect((await findSession(services, token))?.user.steam_name).toBe("first");
      const rows = await services.database.selectFrom("settings").select("key").execute();
      const keys = new Set(rows.map(({ key }) => key));
      for (let n = 0; n < stored; n++) {
        expect(keys).toContain(`stored ${n}`);
        expect(await new Response(await services.blobs.read(`clips/${n}/video.mp4`)).text()).toBe(`video ${n}`);
      }
      await close();
    } finally {
      disk.remove();
    }
  },
  180_000,
);
