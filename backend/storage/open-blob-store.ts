import { resolve } from "node:path";
import type { Config } from "../config.ts";
import type { BlobStore } from "./blob-store.ts";
import { openFolderBlobStore } from "./folder-blob-store.ts";

/** The blob store of the configuration: a folder of DATA_DIR. */
export async function openBlobStore(config: Config): Promise<BlobStore> {
  return await openFolderBlobStore(resolve(config.DATA_DIR, "blobs"));
}
