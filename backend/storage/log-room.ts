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

/** With the rest of the current one: 32 to 48 MiB, as much as two checkpoints write between them. */
const segmentsAhead = 3;

/** Where PostgreSQL's log stands, in bytes since its beginning, and the file and size of the segment that is in. */
const whereItStands = `
  SELECT position, pg_walfile_name('0/0'::pg_lsn + position) AS file,
    (SELECT setting::int8 FROM pg_settings WHERE name = 'wal_segment_size') AS segment
  FROM (SELECT (pg_current_wal_insert_lsn() - '0/0')::int8 AS position) AS log`;

/**
 * Files that PostgreSQL's log (WAL) can go on in without asking the disk for room. Without room for its next file PostgreSQL
 * does not fail a statement but panics, and the whole process ends with it; reading writes log, too. PostgreSQL takes a file
 * that has the next segment's name already, and a checkpoint hands written ones on under later names: so three files made
 * ahead last as long as checkpoints are made, however full the disk is.
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

  /** Makes the files that are missing. @throws the file system's error, after removing what it began, when there is no room */
  async prepare(query: Query): Promise<void> {
    const { segment, name } = await this.#stand(query);
    for (let ahead = 1; ahead <= segmentsAhead; ahead++) {
      const path = join(this.#folder, name(ahead));
      if (existsSync(path)) continue;
      // A name that PostgreSQL itself clears away when a start finds it.
      const unfinished = join(this.#folder, "xlogtemp.clutchcast");
      try {
        await writeRepeated(unfinished, segment, Buffer.alloc(1024 ** 2));
        // Both at once: PostgreSQL, in this same thread, may have made the file meanwhile, and written to it.
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
