import { readlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { vi } from "vitest";

/**
 * Records which files and folders are synced to the disk; they still are. For names, whose loss in a power cut does not show on ext4: its
 * journal writes them together with whatever is synced next. Linux only.
 * @returns their paths at that moment, in order
 */
export async function watchSyncs(): Promise<{ paths: string[]; stop(): void }> {
  const file = await open(tmpdir(), "r");
  const prototype: FileHandle = Object.getPrototypeOf(file);
  await file.close();
  const paths: string[] = [];
  const sync = prototype.sync;
  const watched = vi.spyOn(prototype, "sync").mockImplementation(function (this: FileHandle) {
    paths.push(readlinkSync(`/proc/self/fd/${this.fd}`));
    return sync.call(this);
  });
  return { paths, stop: () => watched.mockRestore() };
}
