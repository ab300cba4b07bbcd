import pg from "pg";

/**
 * Makes both drivers return the same types: int8 and its arrays as numbers (ids, counts and bytes are below 2^53), bytea as Buffer. Not
 * covered: intervals, and jsonb values, which are written with JSON.stringify.
 */
const oid = { bytea: 17, int8: 20, int8Array: 1016 } as const;

const parseBytea = (text: string) => Buffer.from(text.slice(2), "hex");

/** For PGlite's `parsers`; its int8[] follows from int8. */
export const embeddedParsers = { [oid.int8]: Number, [oid.bytea]: parseBytea };

const parseInt8Array = (text: string) =>
  text
    .slice(1, -1)
    .split(",")
    .filter(Boolean)
    .map((part) => (part === "NULL" ? null : Number(part)));

/** For a pg pool's `types`. */
export const serverTypes: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: "text" | "binary") => {
    if (format !== "binary") {
      if (id === oid.int8) return Number;
      if (id === oid.int8Array) return parseInt8Array;
    }
    return pg.types.getTypeParser(id, format as "text");
  }) as typeof pg.types.getTypeParser,
};
