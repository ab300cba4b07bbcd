import { createHash, randomBytes } from "node:crypto";
import { copyFile, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { reliefVersion } from "../../scene/relief/relief-version.ts";
import type { Services } from "../services.ts";
import { makeFolder } from "../storage/durable-files.ts";

/**
 * Reliefs that were drawn, named by their input: the next clip on the same ground loads its relief instead of drawing it. A folder of this
 * machine that may be emptied at any time. Decision 124.
 */
const folderName = "reliefs";
/** Beyond this, the least recently used ones are dropped. */
const maxBytes = 512 * 1024 ** 2;
/** Age at which a temporary file counts as left by a process that died while writing. */
const abandonedMs = 3600_000;

type Place = Pick<Services, "config" | "diskSpace">;

/** Pixels. */
export interface FrameSize {
  width: number;
  height: number;
}

/** Relief of a map, by the hash of its footprints. */
export function mapReliefName(hash: string, frame: FrameSize): string {
  return `map-${hash}-${settings(frame)}`;
}

/** Relief of a match's own walks, by the key of its track, which always names the same content. */
export function matchReliefName(trackKey: string, frame: FrameSize): string {
  return `match-${createHash("sha256").update(trackKey).digest("hex").slice(0, 32)}-${settings(frame)}`;
}

function settings({ width, height }: FrameSize): string {
  return `${width}x${height}-v${reliefVersion}.bin`;
}

/** @returns the path of a relief; null when it is not kept */
export async function keptRelief({ config }: Place, name: string): Promise<string | null> {
  const path = join(config.DATA_DIR, folderName, name);
  try {
    await utimes(path, new Date(), new Date());
    return path;
  } catch {
    return null;
  }
}

/** Keeps a file as this relief, atomically: readers find all of it or nothing. While the disk is short it is not kept. */
export async function keepRelief({ config, diskSpace }: Place, name: string, source: string): Promise<void> {
  if (diskSpace.isShort(true)) return;
  const folder = join(config.DATA_DIR, folderName);
  await makeFolder(folder);
  const aside = join(folder, `.${name}.${randomBytes(4).toString("hex")}`);
  try {
    await copyFile(source, aside);
    await rename(aside, join(folder, name));
  } finally {
    await rm(aside, { force: true });
  }
  await dropOldest(folder);
}

/** Deletes an unreadable relief. */
export async function dropRelief({ config }: Place, name: string): Promise<void> {
  await rm(join(config.DATA_DIR, folderName, name), { force: true });
}

async function dropOldest(folder: string): Promise<void> {
  const files: { path: string; bytes: number; usedAt: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (!found) continue;
    if (!name.startsWith(".")) files.push({ path, bytes: found.size, usedAt: found.mtimeMs });
    else if (Date.now() - found.mtimeMs > abandonedMs) await rm(path, { force: true });
  }
  files.sort((a, b) => b.usedAt - a.usedAt);
  let kept = 0;
  for (const { path, bytes } of files) {
    kept += bytes;
    if (kept > maxBytes) await rm(path, { force: true });
  }
}

/** Number and total size of the reliefs kept here. */
export async function keptReliefSizes({ config }: Pick<Place, "config">): Promise<{ count: number; bytes: number }> {
  const folder = join(config.DATA_DIR, folderName);
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return { count: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
