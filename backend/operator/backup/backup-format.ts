import { z } from "zod";
import type { TableCheck } from "../stored-tables.ts";

/**
 * A backup is one tar file: `backup.json`, a file of lines for each table, the open jobs, `blobs.jsonl` with details of each blob, the
 * blobs, and at the end `check.json`, without which it is incomplete.
 */
export const backupFormat = 1;

export const names = {
  head: "backup.json",
  tables: "tables/",
  jobs: "jobs.jsonl",
  blobList: "blobs.jsonl",
  blobs: "blobs/",
  check: "check.json",
} as const;

export const headSchema = z.object({
  format: z.int(),
  made_at: z.string(),
  /** Those of the database, in order; a restore begins at the last one. */
  migrations: z.array(z.string()).min(1),
  sequences: z.array(z.object({ name: z.string(), next: z.number() })),
});
export type BackupHead = z.infer<typeof headSchema>;

const tableCheckSchema: z.ZodType<TableCheck> = z.object({ rows: z.int(), hash: z.string() });

export const checkSchema = z.object({
  tables: z.record(z.string(), tableCheckSchema),
  /** SHA-256 by key. */
  blobs: z.record(z.string(), z.string()),
});
export type BackupCheck = z.infer<typeof checkSchema>;

export const blobLineSchema = z.object({ key: z.string(), bytes: z.int(), content_type: z.string() });

export const jobLineSchema = z.object({
  name: z.string(),
  payload: z.record(z.string(), z.unknown()),
  owner_id: z.number().nullable(),
  /** Missing in backups made before this field existed. */
  automatic: z.boolean().default(false),
});

export interface BackupReport {
  rows: number;
  blobs: number;
  blobBytes: number;
}
