import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { createTarPacker } from "modern-tar";
import pLimit from "p-limit";
import { contentTypeOf } from "../../storage/blob-key.ts";
import { BlobMissingError, type BlobStore } from "../../storage/blob-store.ts";
import { ownBlobs } from "../../storage/own-blobs.ts";
import { forEach } from "../for-each.ts";
import { OperatorError } from "../operator-error.ts";
import { tablePath } from "../stored-tables.ts";
import { type BackupCheck, type BackupHead, type BackupReport, names } from "./backup-format.ts";

/** A store takes a while for each blob, however small. */
const readAtOnce = 8;
/** Larger blobs are copied into the file as they are read, one at a time. */
const mostInMemory = 8 * 1024 ** 2;

/** Rows and open jobs of one snapshot, as files of lines in the folder. */
export interface DatabaseDump {
  folder: string;
  head: BackupHead;
  tables: BackupCheck["tables"];
}

export const asLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

/**
 * Packs a dump and all blobs into a file.
 * @param needRoom throws if the disk has no room for this many bytes
 * @throws OperatorError when a blob was deleted meanwhile; the signal's reason
 */
export async function packBackup(
  blobs: BlobStore,
  dump: DatabaseDump,
  file: FileHandle,
  { signal, needRoom }: { signal: AbortSignal; needRoom(bytes: number): void },
): Promise<BackupReport> {
  const archive = new Archive();
  const added = addAll(archive, blobs, dump, needRoom).catch((error: unknown) => {
    archive.fail(error);
    throw error;
  });
  // The file's error comes first: whoever packs only learns that nobody reads any more.
  const outcomes = await Promise.allSettled([writeInto(file, archive.readable, signal), added]);
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure?.reason instanceof BlobMissingError) {
    throw new OperatorError("A file was deleted while it was being copied. Nothing was written; try again.");
  }
  if (failure) throw failure.reason;
  return await added;
}

async function writeInto(file: FileHandle, packed: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
  let bytes = 0;
  for await (const chunk of fromWeb(packed)) {
    signal.throwIfAborted();
    // On a nearly full disk `write` may succeed with only a part; this writes everything or fails.
    await file.writeFile(chunk);
    bytes += chunk.length;
  }
  await file.sync();
  const { size } = await file.stat();
  if (size !== bytes) throw new Error(`The backup has ${size} bytes of ${bytes} that were written.`);
}

const fromWeb = (stream: ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as NodeReadableStream<Uint8Array>) as AsyncIterable<Uint8Array>;

/** Adds the parts of a backup in the order in which a restore reads them. */
async function addAll(
  archive: Archive,
  blobs: BlobStore,
  { folder, head, tables }: DatabaseDump,
  needRoom: (bytes: number) => void,
): Promise<BackupReport> {
  await archive.addText(names.head, JSON.stringify(head, null, 2));
  for (const table of Object.keys(tables)) {
    await archive.addFile(`${names.tables}${table}.jsonl`, tablePath(folder, table));
  }
  await archive.addFile(names.jobs, join(folder, names.jobs));
  const listed: ListedBlob[] = [];
  for await (const found of ownBlobs(blobs)) listed.push(found);
  const blobBytes = listed.reduce((sum, { bytes }) => sum + bytes, 0);
  needRoom(blobBytes);
  const lines = listed.map(({ key, bytes }) => JSON.stringify({ key, bytes, content_type: contentTypeOf(key) }));
  await archive.addText(names.blobList, asLines(lines));
  const hashes = await addBlobs(archive, blobs, listed);
  await archive.addText(names.check, JSON.stringify({ tables, blobs: hashes } satisfies BackupCheck));
  archive.end();
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  return { rows, blobs: listed.length, blobBytes };
}

interface ListedBlob {
  key: string;
  bytes: number;
}

/** Read in parallel, they are added in the order in which they arrive. @returns SHA-256 by key */
async function addBlobs(
  archive: Archive,
  blobs: BlobStore,
  listed: readonly ListedBlob[],
): Promise<BackupCheck["blobs"]> {
  const hashes: BackupCheck["blobs"] = {};
  const oneByOne = pLimit(1);
  await forEach(listed, readAtOnce, async ({ key, bytes }) => {
    const hash = createHash("sha256");
    const read = async function* () {
      for await (const chunk of fromWeb(await blobs.read(key))) {
        hash.update(chunk);
        yield chunk;
      }
    };
    const name = `${names.blobs}${key}`;
    if (bytes > mostInMemory) await oneByOne(() => archive.add(name, bytes, read()));
    else {
      const chunks: Uint8Array[] = [];
      for await (const chunk of read()) chunks.push(chunk);
      await oneByOne(() => archive.add(name, bytes, Readable.from(chunks)));
    }
    hashes[key] = hash.digest("hex");
  });
  return hashes;
}

/** A tar file as it is packed: entries are added one after the other, each when the one before was read. */
class Archive {
  readonly #packer = createTarPacker();

  get readable(): ReadableStream<Uint8Array> {
    return this.#packer.readable;
  }

  async add(name: string, size: number, body: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      const writer = this.#packer.controller.add({ name, size, type: "file" }).getWriter();
      for await (const chunk of body) await writer.write(chunk);
      await writer.close();
    } catch (error) {
      // At once, before anybody who waits for their turn reports that this one is incomplete.
      this.fail(error);
      throw error;
    }
  }

  async addText(name: string, text: string): Promise<void> {
    await this.add(name, Buffer.byteLength(text), Readable.from([Buffer.from(text)]));
  }

  async addFile(name: string, path: string): Promise<void> {
    await this.add(name, (await stat(path)).size, createReadStream(path));
  }

  end(): void {
    this.#packer.controller.finalize();
  }

  /** Whoever reads gets the error. */
  fail(error: unknown): void {
    this.#packer.controller.error(error);
  }
}
