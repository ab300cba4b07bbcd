import { randomBytes } from "node:crypto";
import { statSync, truncateSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { DiskFullError, isDiskFull } from "./disk-full.ts";
import { type DiskSpace, watchDiskSpace } from "./disk-space.ts";
import { writeRepeated } from "./durable-files.ts";
import type { StatementResult } from "./embedded-pool.ts";
import { LogRoom } from "./log-room.ts";
import { TransactionRoom } from "./transaction-room.ts";

type Query = (text: string) => Promise<StatementResult>;

const MiB = 1024 ** 2;

/** Above this a turn costs nothing more. */
const carefulBelowBytes = 256 * MiB;

/** A file that only takes room, and gives it back when there is none, for what sign-ins and deletions write. */
const ballastBytes = 16 * MiB;
/** Of it, what is given back a part at each start on a full disk: PostgreSQL does not start without a file of its own. */
const ballastForStartsBytes = 2 * MiB;
const ballastOfStartBytes = MiB / 4;

/** Log that one turn may write. More was never seen; an import writes 1 to 3 MiB. */
const roomForTurnBytes = 24 * MiB;
/** With less, reading is refused as well: a page that was not read since the last checkpoint costs 8 KiB of log. */
const minRoomBytes = 4 * MiB;

/** Kept free for others while room is made for the log and the ballast. */
const leftForOthersBytes = 64 * MiB;

/** Measured: 39 MiB of new files, 16 of log for the tables; then the log's room and the ballast. */
const firstStartBytes = 160 * MiB;

/** With less than this free, room is made at the start already and not some seconds later. */
const makeRoomAtOnceBelowBytes = 2048 * MiB;

/**
 * Keeps the embedded database alive on a full disk. What it needs to go on, files of its log and of transactions' states, it
 * has made beforehand (`LogRoom`, `TransactionRoom`); before each turn it sees to it that the log has room, by a checkpoint,
 * and refuses the turn when it has not: else PostgreSQL would panic. A statement for which a table has no room fails by
 * itself, and only that.
 */
export class FullDiskGuard {
  readonly #space: DiskSpace;
  readonly #room: LogRoom;
  readonly #transactions: TransactionRoom;
  readonly #ballast: string;
  readonly #folder: string;
  readonly #log: Logger;

  /** @param cluster the database's folder in `dataDirectory` */
  constructor(dataDirectory: string, cluster: string, log: Logger) {
    this.#folder = dataDirectory;
    this.#space = watchDiskSpace([dataDirectory, cluster]);
    this.#room = new LogRoom(cluster);
    this.#transactions = new TransactionRoom(cluster);
    this.#ballast = join(dataDirectory, "ballast");
    this.#log = log;
  }

  /** @throws DiskFullError when a new database does not fit on the disk */
  checkFirstStart(): void {
    if (this.#space.freeBytes() < firstStartBytes) throw this.noFirstStart();
  }

  /** Why there is no new database. */
  noFirstStart(): DiskFullError {
    const freeMiB = Math.floor(this.#space.freeBytes() / MiB);
    return new DiskFullError(
      `A new database needs ${firstStartBytes / MiB} MiB of free disk space, and ${this.#folder} has ${freeMiB} MiB. ` +
        "Make room, or choose another folder with DATA_DIR.",
    );
  }

  /** Before the database is opened: a start writes some small files. */
  prepareStart(): void {
    if (this.#space.freeBytes() >= ballastBytes) return;
    const left = this.#ballastSize();
    this.#shrinkBallast(left > ballastForStartsBytes ? ballastForStartsBytes : left - ballastOfStartBytes);
  }

  /** After the database was opened. */
  async afterStart(query: Query): Promise<void> {
    if (this.#space.freeBytes() < makeRoomAtOnceBelowBytes) await this.makeRoom(query);
  }

  /** @throws DiskFullError when the log has no room left */
  async beforeTurn(query: Query): Promise<void> {
    const free = this.#space.freeBytes();
    if (free > carefulBelowBytes) return;
    if (free < ballastBytes) this.#shrinkBallast(ballastForStartsBytes);
    if ((await this.#room.bytes(query)) >= roomForTurnBytes) return;
    await query("CHECKPOINT").catch((error: unknown) => {
      if (!isDiskFull(error)) throw error;
      this.#log.warn({ err: error }, "no checkpoint: the disk is full");
    });
    if (free < leftForOthersBytes && (await this.#room.bytes(query)) < minRoomBytes) {
      throw new DiskFullError("The disk is full: the database cannot work until there is room.");
    }
  }

  /** True while work that can wait, such as vacuuming, should not write. */
  isFull(): boolean {
    return this.#space.isFull();
  }

  /** Makes what is missing of the files that are made beforehand and of the ballast, as far as the disk has room. */
  async makeRoom(query: Query): Promise<void> {
    try {
      if (this.#space.freeBytes() > leftForOthersBytes) {
        await this.#room.prepare(query);
        await this.#transactions.prepare(query);
      }
      if (this.#space.freeBytes() > leftForOthersBytes + ballastBytes) await this.#makeBallast();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  async #makeBallast(): Promise<void> {
    if (this.#ballastSize() === ballastBytes) return;
    const unfinished = `${this.#ballast}.new`;
    try {
      // No zeros: a file system that compresses would keep no room for them.
      await writeRepeated(unfinished, ballastBytes, randomBytes(MiB));
      await rename(unfinished, this.#ballast);
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  #ballastSize(): number {
    return statSync(this.#ballast, { throwIfNoEntry: false })?.size ?? 0;
  }

  #shrinkBallast(bytes: number): void {
    if (this.#ballastSize() <= Math.max(0, bytes)) return;
    truncateSync(this.#ballast, Math.max(0, bytes));
    this.#log.warn("the disk is full: the database is given room that was kept for this");
  }
}
