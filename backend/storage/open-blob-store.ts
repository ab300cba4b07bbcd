import { resolve } from "node:path";
import { type Config, ConfigError } from "../config.ts";
import type { BlobStore } from "./blob-store.ts";
import { openFolderBlobStore } from "./folder-blob-store.ts";
import { openS3BlobStore, type S3BlobStore, type S3Options } from "./s3-blob-store.ts";

type StoreConfig = Pick<
  Config,
  "DATA_DIR" | "PUBLIC_URL" | "S3_ENDPOINT" | "S3_BUCKET" | "S3_REGION" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY"
>;

/**
 * The blob store of the configuration: an S3 store if S3_BUCKET is set, else a folder of DATA_DIR.
 * @throws ConfigError when the S3 settings are incomplete
 */
export async function openBlobStore(config: StoreConfig, scratchDirectory: string): Promise<BlobStore> {
  return openConfiguredS3(config, scratchDirectory) ?? (await openFolderBlobStore(blobFolder(config.DATA_DIR)));
}

/** The folder of blobs when there is no S3 store. */
export const blobFolder = (dataDirectory: string) => resolve(dataDirectory, "blobs");

/**
 * The S3 store of the configuration; null if there is none.
 * @param partBytes part size of multipart uploads; each file has one part in memory
 * @throws ConfigError when its settings are incomplete
 */
export function openConfiguredS3(
  config: StoreConfig,
  scratchDirectory: string,
  { partBytes }: Pick<S3Options, "partBytes"> = {},
): S3BlobStore | null {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  if (!S3_ENDPOINT && !S3_BUCKET && !S3_ACCESS_KEY_ID && !S3_SECRET_ACCESS_KEY) return null;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    throw new ConfigError(
      "S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set all four or none.",
    );
  }
  if (!URL.canParse(S3_ENDPOINT) || !/^https?:/.test(S3_ENDPOINT)) {
    throw new ConfigError(`S3_ENDPOINT: must be an http(s) address (it is “${S3_ENDPOINT}”).`);
  }
  return openS3BlobStore({
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    temporaryFolder: scratchDirectory,
    ...(partBytes === undefined ? {} : { partBytes }),
    isPublic: isReachableByVisitors(S3_ENDPOINT, config.PUBLIC_URL),
  });
}

/** False for a container's name (`http://store:9000`) or a loopback address, which only work on this machine or network. */
export function isReachableByVisitors(endpoint: string, publicUrl: string | undefined): boolean {
  const { hostname } = new URL(endpoint);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
  if (isLoopback) return publicUrl === undefined;
  return hostname.includes(".") || hostname.startsWith("[");
}
