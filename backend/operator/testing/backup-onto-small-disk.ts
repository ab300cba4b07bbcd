/**
 * `backup-onto-small-disk.ts DATA_DIR FOLDER`: backups of 30 MB onto a disk of 80, which others fill meanwhile. Prints as JSON the
 * messages, and what is in the folder and in the scratch folder afterwards.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../config.ts";
import { openServices } from "../../open-services.ts";
import type { Services } from "../../services.ts";
import { writeDailyBackup } from "../backup/daily-backup.ts";
import { writeBackup } from "../backup/write-backup.ts";

const MiB = 1024 ** 2;
const [DATA_DIR, folder] = process.argv.slice(2);
if (!DATA_DIR || !folder) throw new Error("Which folders?");

const { services, close } = await openServices(
  readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR, BACKUP_DIR: folder }),
);
const video = join(services.scratchDirectory, "video");
for (let id = 1; id <= 6; id++) {
  writeFileSync(video, randomBytes(5 * MiB));
  await services.blobs.putFile(`clips/${id}/video.mp4`, video, "video/mp4");
}

const others = join(folder, "others");
/** Others write once the backup has begun to read. */
function filledMeanwhile(reserveBytes: number, bytes: number): Services {
  const { blobs, config } = services;
  let reads = 0;
  return {
    ...services,
    config: { ...config, DISK_RESERVE_BYTES: reserveBytes },
    blobs: {
      ...blobs,
      list: (prefix) => blobs.list(prefix),
      listSizes: (prefix, after) => blobs.listSizes(prefix, after),
      endUploads: async () => 0,
      delete: (key) => blobs.delete(key),
      async read(key) {
        if (reads++ === 0) writeFileSync(others, Buffer.alloc(bytes));
        // One after the other, each later than the next check of the disk.
        await new Promise((resolve) => setTimeout(resolve, reads * 1200));
        return blobs.read(key);
      },
    },
  };
}

async function outcome(reserveBytes: number, bytes: number) {
  const said = await writeBackup(filledMeanwhile(reserveBytes, bytes), join(folder!, "by-hand.backup")).then(
    () => "written",
    (error: Error) => error.message,
  );
  const left = [...readdirSync(folder!), ...readdirSync(services.scratchDirectory)];
  rmSync(others);
  return { said, left };
}

const toTheLastByte = await outcome(0, 65 * MiB);
// It would fit, but leave less than the reserve.
const toTheFloor = await outcome(40 * MiB, 45 * MiB);
const roomAgain = await writeDailyBackup({ ...services, config: { ...services.config, DISK_RESERVE_BYTES: MiB } });
process.stdout.write(JSON.stringify({ toTheLastByte, toTheFloor, roomAgain: roomAgain !== null }));
await close();
