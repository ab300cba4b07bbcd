import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdtemp, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { createTarPacker } from "modern-tar";
import type { Services } from "../../services.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";
import { isDiskFull } from "../../storage/disk-full.ts";
import { holdDeletions } from "../../storage/held-deletions.ts";
import { OperatorError } from "../operator-error.ts";
import { appliedMigrations, dumpTable, sequencesOf, tableNames, tablePath, writeTimesInUtc } from "../stored-tables.ts";
import { type BackupCheck, type BackupHead, type BackupReport, backupFormat, names } from "./backup-format.ts";

/** What began to be deleted before deletions were held is gone by then. */
const settleMs = 2000;

/**
 * Writes database and blobs of one moment into a file, while the server runs: rows of one snapshot, and every blob that they name, since none
 * is deleted meanwhile. The file appears under its name when it is whole.
 * @param path must not be there yet; its folder must
 * @throws OperatorError with a sentence
 */
export async function writeBackup(services: Services, path: string): Promise<BackupReport> {
  if (existsSync(path)) throw new OperatorError(`${path} is there already. Choose another name; nothing was written.`);
  if (!existsSync(dirname(path))) throw new OperatorError(`There is no folder ${dirname(path)}.`);
  const folder = await mkdtemp(join(services.scratchDirectory, "backup-"));
  const held = await holdDeletions(services.database);
  const unfinished = `${path}.part`;
  try {
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const { head, tables } = await dumpDatabase(services, folder);
    const report = await pack(services, folder, unfinished, head, tables);
    await rename(unfinished, path);
    return report;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new OperatorError(
      "The disk is full. Nothing was kept of the backup; name a file on another disk, or make room.",
    );
  } finally {
    await rm(unfinished, { force: true });
    await rm(folder, { recursive: true, force: true });
    await held.release();
  }
}

const fromWeb = (stream: ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as NodeReadableStream<Uint8Array>) as AsyncIterable<Uint8Array>;

/** Rows and open jobs of one snapshot, as files of lines. */
async function dumpDatabase({ database, jobs }: Services, folder: string) {
  const all = await tableNames(database);
  const tables: BackupCheck["tables"] = {};
  const head = await database
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction): Promise<BackupHead> => {
      await writeTimesInUtc(transaction);
      for (const table of all) tables[table] = await dumpTable(transaction, table, tablePath(folder, table));
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
  path: string,
  head: BackupHead,
  tables: BackupCheck["tables"],
): Promise<BackupReport> {
  const { readable, controller } = createTarPacker();
  const file = await open(path, "wx", 0o600);
  const add = async (name: string, size: number, body: AsyncIterable<Uint8Array>) => {
    const writer = controller.add({ name, size, type: "file" }).getWriter();
    for await (const chunk of body) await writer.write(chunk);
    await writer.close();
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
    const listed: { key: string; bytes: number; content_type: string }[] = [];
    for await (const key of blobs.list("")) {
      const found = await blobs.stat(key);
      if (found) listed.push({ key, bytes: found.bytes, content_type: found.contentType });
    }
    await addText(names.blobList, listed.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const hashes: BackupCheck["blobs"] = {};
    for (const { key, bytes } of listed) {
      const hash = createHash("sha256");
      const body = async function* () {
        for await (const chunk of fromWeb(await blobs.read(key))) {
          hash.update(chunk);
          yield chunk;
        }
      };
      await add(`${names.blobs}${key}`, bytes, body());
      hashes[key] = hash.digest("hex");
      report.blobs++;
      report.blobBytes += bytes;
    }
    await addText(names.check, JSON.stringify({ tables, blobs: hashes } satisfies BackupCheck));
    controller.finalize();
  };
  try {
    const filled = fill().catch((error: unknown) => {
      controller.error(error);
      throw error;
    });
    const written = (async () => {
      for await (const chunk of fromWeb(readable)) await file.write(chunk);
      await file.sync();
    })();
    // What the file says comes first: whoever fills it only hears that nobody reads any more.
    const [first] = (await Promise.allSettled([written, filled])).filter((result) => result.status === "rejected");
    if (first?.status === "rejected") throw first.reason;
  } catch (error) {
    if (error instanceof BlobMissingError) {
      throw new OperatorError("A file was deleted while it was being copied. Nothing was written; try again.");
    }
    throw error;
  } finally {
    await file.close();
  }
  return report;
}
