import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, mkdtemp, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { createTarPacker } from "modern-tar";
import pLimit from "p-limit";
import { deleteHeldBlobs } from "../../retention/delete-held.ts";
import type { Services } from "../../services.ts";
import { contentTypeOf } from "../../storage/blob-key.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";
import { DiskFullError, isDiskFull } from "../../storage/disk-full.ts";
import { abortWhenFull, watchDiskSpace } from "../../storage/disk-space.ts";
import { holdDeletions } from "../../storage/held-deletions.ts";
import { ownBlobs } from "../../storage/own-blobs.ts";
import { forEach } from "../for-each.ts";
import { OperatorError } from "../operator-error.ts";
import {
  appliedMigrations,
  dumpTable,
  ownTableNames,
  sequencesOf,
  tablePath,
  writeTimesInUtc,
} from "../stored-tables.ts";
import { type BackupCheck, type BackupHead, type BackupReport, backupFormat, names } from "./backup-format.ts";

/** Deletions that began before deletions were held are done by then. */
const settleMs = 2000;

/** An unfinished file that was not touched for this long belongs to a process that is gone. */
export const leftOverAfterMs = 12 * 3600_000;
/** While nothing is written into it: a large store takes long to list. */
const touchEveryMs = 10 * 60_000;

/** A store takes a while for each blob, however small. */
const readAtOnce = 8;
/** Larger blobs are copied into the file as they are read, one at a time. */
const mostInMemory = 8 * 1024 ** 2;

/** The backup exists, or another process is writing it. */
export class BackupTakenError extends OperatorError {}

/**
 * Writes the database and blobs of one moment into a file while the server runs: the rows of one snapshot, and every blob that they name,
 * since none is deleted meanwhile. The file gets its name when it is complete; until then it ends in `.part`. It is not begun if it would
 * not leave the disk's reserve free, and given up when others use that room (decision 055).
 * @param path must not exist yet; its folder must
 * @throws BackupTakenError when it exists, or another process writes it
 * @throws OperatorError with a sentence
 */
export async function writeBackup(services: Services, path: string): Promise<BackupReport> {
  if (!existsSync(dirname(path))) throw new OperatorError(`There is no folder ${dirname(path)}.`);
  try {
    const unfinished = await takeUnfinished(`${path}.part`);
    try {
      // Checked only now: whoever had `.part` a moment ago may have finished it.
      if (existsSync(path)) {
        throw new BackupTakenError(`${path} is there already. Choose another name; nothing was written.`);
      }
      const report = await copyAll(services, unfinished.file, dirname(path));
      await unfinished.keepAs(path);
      return report;
    } finally {
      await unfinished.close();
      // The backup is complete without this; retention tries again.
      await deleteHeldBlobs(services).catch((err: unknown) =>
        services.log.warn({ err }, "held deletions left for later"),
      );
    }
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new OperatorError(
      "The disk is full. Nothing was kept of the backup; name a file on another disk, or make room.",
    );
  }
}

interface Unfinished {
  file: FileHandle;
  /** @throws BackupTakenError when another process took this file for a leftover */
  keepAs(path: string): Promise<void>;
  /** Deletes the file unless it was kept. */
  close(): Promise<void>;
}

/** Of several processes that begin at once, only one gets it. */
async function takeUnfinished(path: string): Promise<Unfinished> {
  const there = await stat(path).catch(() => null);
  if (there && Date.now() - there.mtimeMs > leftOverAfterMs) await rm(path, { force: true });
  const taken = (cause: unknown) =>
    new BackupTakenError(
      `Another process writes ${path}, or was ended while it did. Delete that file if none does; nothing was written.`,
      { cause },
    );
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? taken(error) : error;
  });
  const touching = setInterval(() => file.utimes(new Date(), new Date()).catch(() => {}), touchEveryMs).unref();
  const { ino } = await file.stat();
  const isOwn = async () => (await stat(path).catch(() => null))?.ino === ino;
  return {
    file,
    async keepAs(name) {
      clearInterval(touching);
      await file.close();
      if (!(await isOwn())) throw taken(undefined);
      await rename(path, name);
    },
    async close() {
      clearInterval(touching);
      await file.close();
      if (await isOwn()) await rm(path, { force: true });
    },
  };
}

async function copyAll(services: Services, file: FileHandle, into: string): Promise<BackupReport> {
  const folder = await mkdtemp(join(services.scratchDirectory, "backup-"));
  const held = await holdDeletions(services.database);
  const space = watchDiskSpace([into, folder], services.config.DISK_RESERVE_BYTES);
  const whenFull = abortWhenFull(space);
  /** @throws DiskFullError if a file of this many bytes would use the disk's reserve */
  const needRoom = (bytes: number) => {
    const there = watchDiskSpace([into], services.config.DISK_RESERVE_BYTES);
    if (there.freeBytes() - there.reserveBytes() < bytes) throw new DiskFullError("The disk has no room for a backup.");
  };
  try {
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const { head, tables } = await dumpDatabase(services, folder, whenFull.signal);
    return await pack(services, folder, file, head, tables, { signal: whenFull.signal, needRoom });
  } finally {
    whenFull.stop();
    await rm(folder, { recursive: true, force: true });
    await held.release();
  }
}

const fromWeb = (stream: ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as NodeReadableStream<Uint8Array>) as AsyncIterable<Uint8Array>;

/** Rows and open jobs of one snapshot, as files of lines. */
async function dumpDatabase({ database, jobs }: Services, folder: string, signal: AbortSignal) {
  const all = await ownTableNames(database);
  const tables: BackupCheck["tables"] = {};
  const head = await database
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction): Promise<BackupHead> => {
      await writeTimesInUtc(transaction);
      for (const table of all) tables[table] = await dumpTable(transaction, table, tablePath(folder, table), signal);
      const open = await jobs.allOpen(transaction);
      const lines = open.map(({ name, payload, ownerId, isAutomatic }) =>
        JSON.stringify({ name, payload, owner_id: ownerId, automatic: isAutomatic }),
      );
      await writeFile(join(folder, names.jobs), lines.map((line) => `${line}\n`).join(""));
      return {
        format: backupFormat,
        made_at: new Date().toISOString(),
        migrations: await appliedMigrations(transaction),
        sequences: await sequencesOf(transaction),
      };
    });
  return { head, tables };
}

async function pack(
  { blobs }: Services,
  folder: string,
  file: FileHandle,
  head: BackupHead,
  tables: BackupCheck["tables"],
  { signal, needRoom }: { signal: AbortSignal; needRoom(bytes: number): void },
): Promise<BackupReport> {
  const { readable, controller } = createTarPacker();
  const add = async (name: string, size: number, body: AsyncIterable<Uint8Array>) => {
    try {
      const writer = controller.add({ name, size, type: "file" }).getWriter();
      for await (const chunk of body) await writer.write(chunk);
      await writer.close();
    } catch (error) {
      // At once, before anybody who waits for their turn reports that this one is incomplete.
      controller.error(error);
      throw error;
    }
  };
  const addText = (name: string, text: string) =>
    add(name, Buffer.byteLength(text), Readable.from([Buffer.from(text)]));
  const addFile = async (name: string, from: string) => add(name, (await stat(from)).size, createReadStream(from));
  const report: BackupReport = { rows: 0, blobs: 0, blobBytes: 0 };
  const fill = async () => {
    await addText(names.head, JSON.stringify(head, null, 2));
    for (const [table, { rows }] of Object.entries(tables)) {
      await addFile(`${names.tables}${table}.jsonl`, tablePath(folder, table));
      report.rows += rows;
    }
    await addFile(names.jobs, join(folder, names.jobs));
    const listed: { key: string; bytes: number }[] = [];
    for await (const found of ownBlobs(blobs)) listed.push(found);
    needRoom(listed.reduce((sum, { bytes }) => sum + bytes, 0));
    const lines = listed.map(({ key, bytes }) => JSON.stringify({ key, bytes, content_type: contentTypeOf(key) }));
    await addText(names.blobList, lines.map((line) => `${line}\n`).join(""));
    const hashes: BackupCheck["blobs"] = {};
    const oneByOne = pLimit(1);
    // Read in parallel, they are written in the order in which they arrive.
    await forEach(listed, readAtOnce, async ({ key, bytes }) => {
      const hash = createHash("sha256");
      const read = async function* () {
        for await (const chunk of fromWeb(await blobs.read(key))) {
          hash.update(chunk);
          yield chunk;
        }
      };
      const name = `${names.blobs}${key}`;
      if (bytes > mostInMemory) await oneByOne(() => add(name, bytes, read()));
      else {
        const chunks: Uint8Array[] = [];
        for await (const chunk of read()) chunks.push(chunk);
        await oneByOne(() => add(name, bytes, Readable.from(chunks)));
      }
      hashes[key] = hash.digest("hex");
      report.blobs++;
      report.blobBytes += bytes;
    });
    await addText(names.check, JSON.stringify({ tables, blobs: hashes } satisfies BackupCheck));
    controller.finalize();
  };
  try {
    const filled = fill().catch((error: unknown) => {
      controller.error(error);
      throw error;
    });
    const written = (async () => {
      let bytes = 0;
      for await (const chunk of fromWeb(readable)) {
        signal.throwIfAborted();
        // On a nearly full disk `write` may succeed with only a part; this writes everything or fails.
        await file.writeFile(chunk);
        bytes += chunk.length;
      }
      await file.sync();
      const { size } = await file.stat();
      if (size !== bytes) throw new Error(`The backup has ${size} bytes of ${bytes} that were written.`);
    })();
    // The file's error comes first: the writer only learns that nobody reads any more.
    const [first] = (await Promise.allSettled([written, filled])).filter((result) => result.status === "rejected");
    if (first?.status === "rejected") throw first.reason;
  } catch (error) {
    if (error instanceof BlobMissingError) {
      throw new OperatorError("A file was deleted while it was being copied. Nothing was written; try again.");
    }
    throw error;
  }
  return report;
}
