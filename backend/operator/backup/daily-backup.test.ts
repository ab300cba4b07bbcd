import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { unpackTar } from "modern-tar";
import { expect, test } from "vitest";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { writeDailyBackup } from "./daily-backup.ts";

test("a backup a day, the newest three kept, and files of others left alone", async () => {
  const BACKUP_DIR = mkdtempSync(join(tmpdir(), "clutchcast-daily-"));
  const { services, remove } = await freshServices("embedded", { BACKUP_DIR, BACKUPS_KEPT: "3" });
  writeFileSync(join(BACKUP_DIR, "holiday.jpg"), "");
  writeFileSync(join(BACKUP_DIR, "clutchcast-2020-01-01.backup"), "");
  writeFileSync(join(BACKUP_DIR, "clutchcast-2020-01-02.backup"), "");
  for (const day of ["2026-11-20", "2026-11-21"]) {
    const today = { ...services, now: () => new Date(`${day}T10:00:00Z`) };
    expect(await writeDailyBackup(today)).toBe(join(BACKUP_DIR, `clutchcast-${day}.backup`));
    expect(await writeDailyBackup(today), "the second time on one day").toBe(null);
  }
  const kept = ["clutchcast-2020-01-02.backup", "clutchcast-2026-11-20.backup", "clutchcast-2026-11-21.backup"];
  expect(readdirSync(BACKUP_DIR).sort()).toEqual([...kept, "holiday.jpg"]);
  await remove();
  rmSync(BACKUP_DIR, { recursive: true });
});

test.each(["/", "//", "/./"])("today's backup is known in a BACKUP_DIR that ends with %s", async (end) => {
  const BACKUP_DIR = mkdtempSync(join(tmpdir(), "clutchcast-daily-"));
  const { services, remove } = await freshServices("embedded", { BACKUP_DIR: `${BACKUP_DIR}${end}` });
  const path = await writeDailyBackup(services);
  expect(path).toMatch(/clutchcast-[\d-]+\.backup$/);
  // If it did not recognise today's backup, it would first delete this leftover.
  writeFileSync(join(BACKUP_DIR, "left.backup.part"), "");
  const longAgo = new Date(0);
  utimesSync(join(BACKUP_DIR, "left.backup.part"), longAgo, longAgo);
  expect(await writeDailyBackup(services)).toBe(null);
  expect(readdirSync(BACKUP_DIR)).toEqual([basename(path!), "left.backup.part"]);
  await remove();
  rmSync(BACKUP_DIR, { recursive: true });
});

test("of two that begin at once one writes the backup, whole, and nothing of another's work is deleted", async () => {
  const BACKUP_DIR = mkdtempSync(join(tmpdir(), "clutchcast-daily-"));
  const { services, remove } = await freshServices("embedded", { BACKUP_DIR });
  // One was begun by hand an hour ago; the process of the other is gone.
  writeFileSync(join(BACKUP_DIR, "by-hand.backup.part"), "");
  writeFileSync(join(BACKUP_DIR, "clutchcast-2020-01-01.backup.part"), "");
  const hour = 3600_000;
  const ago = (hours: number) => new Date(Date.now() - hours * hour);
  utimesSync(join(BACKUP_DIR, "by-hand.backup.part"), ago(1), ago(1));
  utimesSync(join(BACKUP_DIR, "clutchcast-2020-01-01.backup.part"), ago(13), ago(13));
  const today = { ...services, now: () => new Date("2026-11-20T10:00:00Z") };
  const written = await Promise.all([writeDailyBackup(today), writeDailyBackup(today)]);
  const path = join(BACKUP_DIR, "clutchcast-2026-11-20.backup");
  expect(written.filter(Boolean)).toEqual([path]);
  expect(readdirSync(BACKUP_DIR).sort()).toEqual(["by-hand.backup.part", "clutchcast-2026-11-20.backup"]);
  expect((await unpackTar(readFileSync(path))).at(-1)?.header.name).toBe("check.json");
  await remove();
  rmSync(BACKUP_DIR, { recursive: true });
});

test("a backup for which the disk has no room beside what stays free is not begun, and leaves the others and nothing half", async () => {
  const BACKUP_DIR = mkdtempSync(join(tmpdir(), "clutchcast-daily-"));
  const { services, remove } = await freshServices("embedded", { BACKUP_DIR, BACKUPS_KEPT: "1" });
  const old = "clutchcast-2020-01-01.backup";
  writeFileSync(join(BACKUP_DIR, old), "");
  const demo = join(services.scratchDirectory, "demo");
  writeFileSync(demo, "PBDEMS2");
  await services.blobs.putFile("clips/7/video.mp4", demo, "video/mp4");
  const reserved = { ...services, config: { ...services.config, DISK_RESERVE_BYTES: 2 ** 60 } };
  await expect(writeDailyBackup(reserved)).rejects.toThrow(/^The disk is full\. Nothing was kept of the backup/);
  expect(readdirSync(BACKUP_DIR)).toEqual([old]);
  expect(readdirSync(services.scratchDirectory).filter((name) => name.startsWith("backup-"))).toEqual([]);
  await remove();
  rmSync(BACKUP_DIR, { recursive: true });
});
