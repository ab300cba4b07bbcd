import type { BackupReport } from "./backup-format.ts";

/** For the operator: "Restored 1203 rows and 40 files (12.3 MB)." */
export function describeBackup(verb: string, { rows, blobs, blobBytes }: BackupReport): string {
  return `${verb} ${rows} rows and ${blobs} ${blobs === 1 ? "file" : "files"} (${(blobBytes / 1e6).toFixed(1)} MB).`;
}
