/**
 * Puts a blob that is larger than the disk into a folder store there, and sends its parent the result. Runs on a disk of 1 MB that its
 * parent mounted. Arguments: the store's folder; the blob's source file.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openFolderBlobStore } from "../folder-blob-store.ts";

const [folder = "", source = ""] = process.argv.slice(2);
const store = await openFolderBlobStore(folder);
const outcome = await store.putFile("demos/huge.dem", source, "application/octet-stream").then(
  () => "stored",
  (error: Error) => error.constructor.name,
);
const left = readdirSync(join(folder, ".unfinished"));
process.stdout.write(JSON.stringify({ outcome, stat: await store.stat("demos/huge.dem"), left }));
