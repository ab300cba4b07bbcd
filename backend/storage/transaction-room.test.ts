import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TransactionRoom } from "./transaction-room.ts";

test("files of transactions are made as PostgreSQL names them, also where the numbers begin anew", async () => {
  const cluster = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  for (const name of ["pg_xact", "pg_subtrans"]) mkdirSync(join(cluster, name));
  const begun = join(cluster, "pg_xact/0FFF");
  writeFileSync(begun, Buffer.alloc(8192, 0x55));
  // The third round through all numbers, 100 before the next.
  const next = 3n * 2n ** 32n - 100n;
  await new TransactionRoom(cluster).prepare(async () => ({ rows: [{ next: String(next) }] }));
  expect(readdirSync(join(cluster, "pg_xact")).sort()).toEqual(["0000", "0FFF"]);
  expect(readdirSync(join(cluster, "pg_subtrans")).sort()).toEqual(["0000", "0001", "0002", "0003", "FFFF"]);
  for (const name of ["pg_xact/0000", "pg_xact/0FFF", "pg_subtrans/0003", "pg_subtrans/FFFF"]) {
    expect(statSync(join(cluster, name)).size).toBe(32 * 8192);
  }
  // Pages written by PostgreSQL stay; a future page is empty.
  const filled = readFileSync(begun);
  expect(filled.subarray(0, 8192).equals(Buffer.alloc(8192, 0x55))).toBe(true);
  expect(filled.subarray(8192).equals(Buffer.alloc(31 * 8192))).toBe(true);
  rmSync(cluster, { recursive: true });
});
