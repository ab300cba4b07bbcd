import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { createTarDecoder } from "modern-tar";
import type { BlobStore } from "../../storage/blob-store.ts";
import { OperatorError } from "../operator-error.ts";
import { tablePath } from "../stored-tables.ts";
import { type BackupCheck, type BackupHead, blobLineSchema, checkSchema, headSchema, names } from "./backup-format.ts";

/** Begins the sentence about a file that is no backup, or not a whole one. */
export const damaged = "This is not a whole backup of Clutchcast";

type Entry = { header: { name: string; size: number }; body: ReadableStream<Uint8Array> };

function entriesOf(path: string): ReadableStreamDefaultReader<Entry> {
  const file = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  return file.pipeThrough(createTarDecoder()).getReader();
}

/** @returns the head of the backup, and an id that is the same for every copy of the file */
export async function readHead(path: string): Promise<{ head: BackupHead; id: string }> {
  const entries = entriesOf(path);
  try {
    const entry = await entries.read();
    if (entry.done || entry.value.header.name !== names.head) throw new OperatorError(`${damaged}: ${path}.`);
    const text = await new Response(entry.value.body).text();
    return { head: headSchema.parse(JSON.parse(text)), id: createHash("sha256").update(text).digest("hex") };
  } catch (error) {
    throw asDamaged(error, path);
  } finally {
    await entries.cancel().catch(() => {});
  }
}

function asDamaged(error: unknown, path: string): unknown {
  if (error instanceof OperatorError || (error as NodeJS.ErrnoException).code) return error;
  return new OperatorError(`${damaged}: ${path} (${error instanceof Error ? error.message.split("\n")[0] : error}).`);
}

export interface UnpackedBackup {
  check: BackupCheck;
  blobBytes: number;
}

/**
 * Unpacks a backup: blobs into the store, rows and jobs as files of lines into the folder. Compares the blobs with the backup's hashes.
 * @param beforeBlobs called with the keys of all blobs before the first is stored
 * @throws OperatorError with a sentence
 */
export async function unpackBackup(
  path: string,
  folder: string,
  store: BlobStore,
  beforeBlobs: (keys: ReadonlySet<string>) => Promise<void>,
): Promise<UnpackedBackup> {
  const unpacking = new Unpacking(folder, store, beforeBlobs);
  try {
    const entries = entriesOf(path);
    // One after the other: the next begins where the body of this one ended.
    for (let entry = await entries.read(); !entry.done; entry = await entries.read()) await unpacking.take(entry.value);
  } catch (error) {
    throw asDamaged(error, path);
  }
  return unpacking.checked(path);
}

class Unpacking {
  readonly #folder: string;
  readonly #store: BlobStore;
  readonly #beforeBlobs: (keys: ReadonlySet<string>) => Promise<void>;
  readonly #contentTypes = new Map<string, string>();
  /** Hashes of the blobs, by key. */
  readonly #found: BackupCheck["blobs"] = {};
  #blobBytes = 0;
  #check: BackupCheck | null = null;

  constructor(folder: string, store: BlobStore, beforeBlobs: (keys: ReadonlySet<string>) => Promise<void>) {
    this.#folder = folder;
    this.#store = store;
    this.#beforeBlobs = beforeBlobs;
  }

  async take({ header: { name, size }, body }: Entry): Promise<void> {
    const text = () => new Response(body).text();
    if (name === names.head) await text();
    else if (name === names.check) this.#check = checkSchema.parse(JSON.parse(await text()));
    else if (name === names.jobs) await writeHashed(body, join(this.#folder, names.jobs));
    else if (name === names.blobList) await this.#readBlobList(await text());
    else if (name.startsWith(names.tables)) await writeHashed(body, tablePath(this.#folder, tableOf(name)));
    else if (name.startsWith(names.blobs)) await this.#storeBlob(name.slice(names.blobs.length), size, body);
    else throw strangeEntry(name);
  }

  async #readBlobList(text: string): Promise<void> {
    for (const line of text.split("\n").filter(Boolean)) {
      const { key, content_type: type } = blobLineSchema.parse(JSON.parse(line));
      this.#contentTypes.set(key, type);
    }
    await this.#beforeBlobs(new Set(this.#contentTypes.keys()));
  }

  async #storeBlob(key: string, bytes: number, body: Entry["body"]): Promise<void> {
    const copy = join(this.#folder, "blob");
    this.#found[key] = await writeHashed(body, copy);
    this.#blobBytes += bytes;
    await this.#store.putFile(key, copy, this.#contentTypes.get(key) ?? "application/octet-stream");
    await rm(copy, { force: true });
  }

  checked(path: string): UnpackedBackup {
    const check = this.#check;
    const found = this.#found;
    if (!check) throw new OperatorError(`${damaged}: the end of ${path} is missing.`);
    const broken = Object.keys({ ...check.blobs, ...found }).filter((key) => check.blobs[key] !== found[key]);
    if (broken.length > 0) {
      throw new OperatorError(`${damaged}: ${broken.length} of its files are not as they were, for one ${broken[0]}.`);
    }
    return { check, blobBytes: this.#blobBytes };
  }
}

function tableOf(name: string): string {
  const table = /^tables\/(\w+)\.jsonl$/.exec(name)?.[1];
  if (table === undefined) throw strangeEntry(name);
  return table;
}

function strangeEntry(name: string): OperatorError {
  return new OperatorError(`${damaged}: it has “${name}” in it.`);
}

/** @returns the SHA-256 of the written bytes */
async function writeHashed(body: ReadableStream<Uint8Array>, path: string): Promise<string> {
  const hash = createHash("sha256");
  const hashed = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(Readable.fromWeb(body as NodeReadableStream), hashed, createWriteStream(path, { mode: 0o600 }));
  return hash.digest("hex");
}
