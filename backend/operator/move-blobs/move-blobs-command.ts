import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { checkStore, storeSentence } from "../../check-configuration.ts";
import type { Config } from "../../config.ts";
import { openLog } from "../../open-log.ts";
import { BlobStoreFullError, StoreUnavailableError } from "../../storage/blob-store.ts";
import { openFolderBlobStore } from "../../storage/folder-blob-store.ts";
import { blobFolder, openConfiguredS3 } from "../../storage/open-blob-store.ts";
import { type OpenDatabase, openDatabase } from "../../storage/open-database.ts";
import { OperatorError } from "../operator-error.ts";
import { askRunningServer, isServed, keepClosed } from "../operator-socket.ts";
import { type MovedBlobs, megabytes, moveBlobs } from "./move-blobs.ts";
import { type NamedBlobs, namedBlobsAfter } from "./named-blobs.ts";

/** Part of a multipart upload; one is in memory for each file in progress. */
const partBytes = 8 * 1024 ** 2;

const goesOn = "What was copied stays there: the same command goes on where it was.";

/**
 * `operator move-blobs-to-s3`: copies from the folder of DATA_DIR to the store of the S3_… settings, while a server runs or not.
 * @param words "--read-back" to read objects back instead of trusting the hashes that the store reports
 * @returns what was done and what to set
 * @throws OperatorError, StartProblem, ConfigError with a sentence
 */
export async function moveBlobsCommand(
  config: Config,
  words: readonly string[],
  tell: (line: string) => void,
): Promise<string> {
  const folder = blobFolder(config.DATA_DIR);
  const target = openConfiguredS3(config, tmpdir(), { partBytes });
  if (!target) {
    throw new OperatorError(
      "Where to? Set S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.",
    );
  }
  if (!existsSync(folder)) throw new OperatorError(`There are no files in ${folder}. Set DATA_DIR as for the server.`);
  await checkStore(config);
  const source = await openFolderBlobStore(folder);
  const rows = await openNamed(config);
  try {
    const moved = await moveBlobs(source, target, rows.named, { tell, readBack: words.includes("--read-back") });
    const isServed = await rows.isServed();
    const said = describe(moved, config, folder, isServed);
    // With a running server these may be files that were stored or deleted meanwhile: the next call tells.
    if (moved.missing.length > 0 && !isServed) throw new OperatorError(said);
    return said;
  } catch (error) {
    if (error instanceof BlobStoreFullError) throw new OperatorError(`The S3 store is full. Make room. ${goesOn}`);
    if (error instanceof StoreUnavailableError) throw new OperatorError(`${storeSentence(error, config)} ${goesOn}`);
    throw error;
  } finally {
    await rows.close();
  }
}

interface OpenNamed {
  named: NamedBlobs;
  /** Whether a server may still write files. */
  isServed(): Promise<boolean>;
  close(): Promise<void>;
}

/** Asks the running server for the embedded database's names; if none runs, the database is held open, so that none starts meanwhile. */
async function openNamed(config: Config): Promise<OpenNamed> {
  const { DATA_DIR: folder } = config;
  if (!config.DATABASE_URL && (await isServed(folder))) {
    const named = async (after: string) => {
      const answer = await askRunningServer(folder, ["named-blobs", after]);
      if (answer === null) throw new OperatorError(`The server ended meanwhile. ${goesOn}`);
      return answer.split("\n").filter(Boolean);
    };
    return { named, isServed: async () => true, close: async () => {} };
  }
  const log = openLog(config.LOG_LEVEL);
  const opened = await openDatabase(config, log);
  const closed =
    opened.kind === "embedded"
      ? await keepClosed(folder, log, "Its files are being copied to a store. Wait for that to end.")
      : null;
  return {
    named: (after) => namedBlobsAfter(opened.database, after),
    isServed: async () => opened.kind === "postgres" && (await hasWorkers(opened)),
    async close() {
      await closed?.close();
      await opened.close();
    },
  };
}

/** Every server has a queue open. */
async function hasWorkers({ pool }: OpenDatabase): Promise<boolean> {
  const { rows } = await pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'clutchcast jobs' LIMIT 1",
  );
  return rows.length > 0;
}

const counted = (count: number) => `${count} ${count === 1 ? "file" : "files"}`;

function describe(moved: MovedBlobs, config: Config, folder: string, isServed: boolean): string {
  const { copied, copiedBytes, there, proven, onlyThere, missing } = moved;
  const lines = [
    `Copied ${counted(copied)} (${megabytes(copiedBytes)}), ${there} were there already.`,
    `Of the files that the database names ${proven} are in the store with the SHA-256 of the folder's${onlyThere > 0 ? `, and ${onlyThere} in the store alone` : ""}.`,
  ];
  if (missing.length > 0) {
    const first = missing.slice(0, 3).join(", ");
    const more = missing.length > 3 ? ", …" : "";
    lines.push(
      `${counted(missing.length)} that it names ${missing.length === 1 ? "is" : "are"} neither in the folder nor in the store: ${first}${more}.`,
    );
  }
  lines.push(
    isServed
      ? "A server runs and may still write into the folder: stop it, call the same command once more, which copies what is new, and then"
      : missing.length > 0
        ? "All others are there. Look for these in a backup, or in the folder that DATA_DIR named before. Without them"
        : "Every file is there. Now",
  );
  lines.push(
    `set S3_ENDPOINT=${config.S3_ENDPOINT}, S3_BUCKET=${config.S3_BUCKET}, S3_REGION=${config.S3_REGION} and the keys for the server, and start it. ` +
      `It does not look into ${folder} any more, which was left as it was.`,
  );
  return lines.join("\n");
}
