import { existsSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeRepeated } from "./durable-files.ts";

interface Stand {
  position: number;
  file: string;
  segment: number;
}

type Query = (text: string) => Promise<{ rows: Stand[] }>;

/** With the rest of the current one: 32 to 48 MiB, as much as is written between two checkpoints. */
const segmentsAhead = 3;

/** The position of PostgreSQL's log in bytes since its beginning, and the file and size of its current segment. */
const whereItStands = `
  SELECT position, pg_walfile_name('0/0'::pg_lsn + position) AS file,
    (SELECT setting::int8 FROM pg_settings WHERE name = 'wal_segment_size') AS segment
  FROM (SELECT (pg_current_wal_insert_lsn() - '0/0')::int8 AS position) AS log`;

/**
 * Files into which PostgreSQL's log (WAL) can continue without new room on the disk. If there is no room for its next file PostgreSQL does
 * not fail a statement but panics, and the whole process ends; reading writes log, too. PostgreSQL uses an existing file with the next
 * segment's name, and a checkpoint recycles written ones under later names: three files made in advance last for as long as checkpoints
 * run, however full the disk is.
 */
export class LogRoom {
  readonly #folder: string;

  /** @param cluster the database's folder */
  constructor(cluster: string) {
    this.#folder = join(cluster, "pg_wal");
  }

  /** Bytes that can be logged before the log needs a new file. */
  async bytes(query: Query): Promise<number> {
    const { position, segment, name } = await this.#stand(query);
    let bytes = segment - (position % segment);
    for (let ahead = 1; existsSync(join(this.#folder, name(ahead))); ahead++) bytes += segment;
    return bytes;
  }

  /** Makes the missing files. @throws the file system's error when there is no room, after removing what it began */
  async prepare(query: Query): Promise<void> {
    const { segment, name } = await this.#stand(query);
    for (let ahead = 1; ahead <= segmentsAhead; ahead++) {
      const path = join(this.#folder, name(ahead));
      if (existsSync(path)) continue;
      // A name that PostgreSQL itself removes at a start.
      const unfinished = join(this.#folder, "xlogtemp.clutchcast");
      try {
        await writeRepeated(unfinished, segment, Buffer.alloc(1024 ** 2));
        // Checked and renamed without a pause: PostgreSQL, in this same thread, may have made the file meanwhile and written to it.
        if (!existsSync(path)) renameSync(unfinished, path);
      } finally {
        await rm(unfinished, { force: true });
      }
      await syncFolder(this.#folder);
    }
  }

  async #stand(query: Query) {
    const [stand] = (await query(whereItStands)).rows;
    if (!stand) throw new Error("The log does not say where it stands.");
    const { position, file, segment } = stand;
    // A name is the timeline, and the segment's number in two parts, each as eight hexadecimal digits.
    const segmentsInPart = 2 ** 32 / segment;
    const hexadecimal = (part: number) => part.toString(16).toUpperCase().padStart(8, "0");
    const name = (ahead: number) => {
      const number = Math.floor(position / segment) + ahead;
      return file.slice(0, 8) + hexadecimal(Math.floor(number / segmentsInPart)) + hexadecimal(number % segmentsInPart);
    };
    return { position, segment, name };
  }
}
