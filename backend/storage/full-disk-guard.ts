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

/** Above this the check of a turn costs nothing. */
const carefulBelowBytes = 256 * MiB;

/** A file that only reserves room. It is given up on a full disk, for what sign-ins and deletions write. */
const ballastBytes = 16 * MiB;
/** The part of it that is given up bit by bit at starts on a full disk: PostgreSQL does not start without writing a file. */
const ballastForStartsBytes = 2 * MiB;
const ballastOfStartBytes = MiB / 4;

/** Maximum log of one turn. More was never observed; an import writes 1 to 3 MiB. */
const roomForTurnBytes = 24 * MiB;
/** With less room reading is refused, too: the first read of a page after a checkpoint costs 8 KiB of log. */
const minRoomBytes = 4 * MiB;

/** Left to others while room is reserved for the log and the ballast. */
const leftForOthersBytes = 64 * MiB;

/** Measured: 39 MiB of new files and 16 of log for the tables; plus the log's reserved room and the ballast. */
const firstStartBytes = 160 * MiB;

/** With less than this free, room is reserved during the start rather than some seconds later. */
const makeRoomAtOnceBelowBytes = 2048 * MiB;

/**
 * Keeps the embedded database running on a full disk. The files it needs to continue, of its log and of transactions' states, are made in
 * advance (`LogRoom`, `TransactionRoom`). Before each turn this makes sure that the log has room, by a checkpoint, and refuses the turn
 * otherwise: PostgreSQL would panic. A statement for which a table has no room fails by itself.
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

  /** The error that a new database does not fit. */
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

  /** True while deferrable work, such as vacuuming, should not write. */
  isFull(): boolean {
    return this.#space.isFull();
  }

  /** Makes the missing files in advance, and the ballast, as far as the disk has room. */
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
      // Random bytes, because a compressing file system would reserve no room for zeros.
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
