import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

type Query = (text: string) => Promise<{ rows: { next: string }[] }>;

/** 32 pages of 8 KiB. Source: SLRU_PAGES_PER_SEGMENT of PostgreSQL's slru.h. */
const fileBytes = 256 * 1024;

/** Files with an entry for every transaction: two bits, and four bytes. Source: PostgreSQL's clog.c, subtrans.c. */
const folders = [
  { name: "pg_xact", transactionsInFile: fileBytes * 4, filesAhead: 1 },
  { name: "pg_subtrans", transactionsInFile: fileBytes / 4, filesAhead: 4 },
];

/** Transaction numbers have 32 bits and wrap around. */
const allTransactions = 2 ** 32;

/**
 * Room for PostgreSQL's records of each transaction. Every 2,048 of them need another page, which it only requests from the disk in the
 * next checkpoint. If that fails, the log is not recycled, and in the end nothing can be read. The current file and those after it, filled
 * with the zeros of a new page, last for at least 262,144 transactions.
 */
export class TransactionRoom {
  readonly #cluster: string;

  /** @param cluster the database's folder */
  constructor(cluster: string) {
    this.#cluster = cluster;
  }

  /** Makes what is missing. @throws the file system's error when there is no room */
  async prepare(query: Query): Promise<void> {
    const [row] = (await query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next")).rows;
    if (!row) throw new Error("The database does not say which transaction is next.");
    const next = Number(BigInt(row.next) % BigInt(allTransactions));
    for (const { name, transactionsInFile, filesAhead } of folders) {
      for (let ahead = 0; ahead <= filesAhead; ahead++) {
        const file = (Math.floor(next / transactionsInFile) + ahead) % (allTransactions / transactionsInFile);
        fillUp(join(this.#cluster, name, file.toString(16).toUpperCase().padStart(4, "0")));
      }
    }
  }
}

/** Without a pause, in which PostgreSQL, in this same thread, could write at the end of the file. */
function fillUp(path: string): void {
  const file = openSync(path, "a", 0o600);
  try {
    const { size } = fstatSync(file);
    if (size >= fileBytes) return;
    const zeros = Buffer.alloc(fileBytes - size);
    try {
      for (let written = 0; written < zeros.length; ) written += writeSync(file, zeros, written);
    } catch (error) {
      ftruncateSync(file, size);
      throw error;
    }
  } finally {
    closeSync(file);
  }
}
