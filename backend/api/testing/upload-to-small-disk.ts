/**
 * Uploads a file larger than the disk, then a small one, and prints the results. The parent process has mounted a disk of 1 MB. Argument:
 * the disk's folder.
 */
import { readdirSync, statfsSync } from "node:fs";
import type { User } from "../../storage/schema.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { receiveDemoFile } from "../receive-demo-file.ts";

const [disk = ""] = process.argv.slice(2);
const { services, remove } = await freshServices();
const onSmallDisk = { ...services, scratchDirectory: disk };
const user = { id: 1 } as User;

function upload(bytes: number): Promise<string> {
  const form = new FormData();
  form.set("demo_file", new Blob([new Uint8Array(bytes)]), "match.dem");
  const request = new Request("http://localhost/", { method: "POST", body: form });
  return receiveDemoFile(onSmallDisk, user, request).then(
    () => "stored",
    (error: { status?: number; message: string }) => `${error.status} ${error.message}`,
  );
}

const free = () => statfsSync(disk).bavail;
const freeBefore = free();
const huge = await upload(3 * 1024 ** 2);
const left = readdirSync(disk);
const isSpaceBack = free() === freeBefore;
const small = await upload(100_000);
await remove();
process.stdout.write(JSON.stringify({ huge, left, isSpaceBack, small }));
