import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat, utimes } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { FoundDemo } from "./find-demos.ts";
import { numbered, type OutputFile } from "./output-file.ts";

/** Clocks and file systems differ by this much: FAT has two seconds. */
const sameTimeMs = 2000;

/** A demo file as it was when its video was made. */
interface MadeOf extends DemoFile {
  sha256: string;
}

interface DemoFile {
  bytes: number;
  changedMs: number;
}

/** The videos that there are of a demo's name, and what the next one would be called. */
export interface VideosOfName {
  /** When the newest was made; null: there is none. */
  newestMs: number | null;
  newest: OutputFile;
  next: OutputFile;
}

/** Which videos of a watched folder were made of what. What an earlier watch made is told by the times of files alone. */
export class MadeVideos {
  /** By the path of a video, that of its demo. */
  readonly #makers = new Map<string, string>();
  /** By the path of a demo, what its newest video was made of. */
  readonly #madeOf = new Map<string, MadeOf>();

  /** The path of the demo of which a video was made here; undefined where nobody knows. */
  makerOf(videoPath: string): string | undefined {
    return this.#makers.get(videoPath);
  }

  /** @param isOthers whether a path is that of another demo's own video */
  async videosOf(demo: FoundDemo, target: OutputFile, isOthers: (videoPath: string) => boolean): Promise<VideosOfName> {
    const found: VideosOfName = { newestMs: null, newest: target, next: target };
    for (let n = 1; ; n++) {
      const video = n === 1 ? target : numbered(target, n);
      const maker = this.#makers.get(video.path);
      if (n > 1 && (isOthers(video.path) || (maker !== undefined && maker !== demo.path))) continue;
      const file = await stat(video.path).catch(() => null);
      if (!file) return { ...found, next: video };
      if (found.newestMs === null || file.mtimeMs > found.newestMs)
        Object.assign(found, { newestMs: file.mtimeMs, newest: video });
    }
  }

  /**
   * Whether a demo's file looks like another one than its newest video was made of: a recorder that always writes `match.dem`.
   * @param ofOneName all demos whose video has this name. One that is older than the video may be what it was made of.
   */
  async looksNew(demo: FoundDemo, ofOneName: readonly FoundDemo[], newestMs: number): Promise<boolean> {
    const madeOf = this.#madeOf.get(demo.path);
    if (madeOf) {
      const file = await fileOf(demo);
      return file !== null && (file.bytes !== madeOf.bytes || file.changedMs !== madeOf.changedMs);
    }
    for (const other of ofOneName) {
      const file = await fileOf(other);
      if (!file || file.changedMs <= newestMs + sameTimeMs) return false;
    }
    return true;
  }

  /** Whether a whole file has other contents than its newest video was made of, as far as anybody knows. */
  async isNew(demo: FoundDemo): Promise<boolean> {
    const madeOf = this.#madeOf.get(demo.path);
    if (!madeOf) return true;
    const now = await contentsOf(demo);
    if (now?.sha256 !== madeOf.sha256) return true;
    this.#madeOf.set(demo.path, now);
    return false;
  }

  /** Notes that a video was made of a demo. @param madeOf from `contentsOf`, before it was read */
  async note(demo: FoundDemo, video: OutputFile, madeOf: MadeOf | null): Promise<void> {
    this.#makers.set(video.path, demo.path);
    if (!madeOf) return;
    this.#madeOf.set(demo.path, madeOf);
    // By a clock that is ahead, a demo would be newer than its own video at every start.
    const file = await stat(video.path).catch(() => null);
    if (file && file.mtimeMs < madeOf.changedMs)
      await utimes(video.path, file.atime, new Date(madeOf.changedMs)).catch(() => {});
  }
}

/** What is in a demo's file, packed as it lies there; null when it cannot be read. */
export async function contentsOf(demo: FoundDemo): Promise<MadeOf | null> {
  const file = await fileOf(demo);
  if (!file) return null;
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(demo.path), hash);
  } catch {
    return null;
  }
  return { ...file, sha256: hash.digest("hex") };
}

async function fileOf({ path }: FoundDemo): Promise<DemoFile | null> {
  const file = await stat(path).catch(() => null);
  return file && { bytes: file.size, changedMs: file.mtimeMs };
}
