import type { ProcessingStatus } from "../../contract/statuses.ts";
import type { Services } from "../services.ts";
import { type ImportStanding, reportImport } from "./match-life.ts";

/** Where each stage lies within the whole import; downloads and parsing take nearly all of the time. */
const shares = {
  downloading_demo: [0, 0.4],
  extracting_demo: [0.4, 0.5],
  parsing_demo: [0.5, 0.88],
  analyzing_highlights: [0.88, 0.94],
  updating_match_info: [0.94, 0.97],
  loading_avatars: [0.97, 1],
} as const satisfies Partial<Record<ProcessingStatus, readonly [number, number]>>;

export type ImportStage = keyof typeof shares;

/** A player's page asks every 2 s; writing more often than this would only cost the disk. */
const writeEveryMs = 500;

/**
 * Tells the database how far an import is: every new stage at once, progress within it now and then. Writes never overlap, and
 * what they find out on the way is when nobody waits for the import any more.
 */
export class ImportProgress {
  readonly #services: Services;
  readonly #matchId: string;
  readonly #ended = new AbortController();
  #stage: ImportStage | "waiting" | null = null;
  #lastWrite = 0;
  #writing: Promise<void> = Promise.resolve();
  #pending = false;

  constructor(services: Services, matchId: string) {
    this.#services = services;
    this.#matchId = matchId;
  }

  /** Aborted when nobody waits for this import any more: its match is deleted, or another worker has ended it. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * @param fraction 0..1 of the stage; null when nobody can say
   */
  report(stage: ImportStage, fraction: number | null = null): void {
    const isNewStage = stage !== this.#stage;
    this.#stage = stage;
    const now = performance.now();
    if (!isNewStage && (this.#pending || now - this.#lastWrite < writeEveryMs)) return;
    this.#lastWrite = now;
    const [from, to] = shares[stage];
    const within = Math.min(1, Math.max(0, fraction ?? 0));
    this.#enqueue({
      status: stage,
      progress: from + (to - from) * within,
      operation: fraction === null ? "" : `${Math.floor(within * 100)} %`,
    });
  }

  /**
   * The import waits until others have been downloaded, or parsed.
   * @param position 1: it is the next
   */
  reportWaiting(before: "download" | "parse", position: number): void {
    this.#stage = "waiting";
    const operation = `waiting for its turn, position ${position}`;
    if (before === "download") this.#enqueue({ status: "queued", progress: 0, operation });
    else this.#enqueue({ status: "processing_demo", progress: shares.downloading_demo[1], operation });
  }

  #enqueue(values: ImportStanding): void {
    this.#pending = true;
    this.#writing = this.#writing.then(() => this.#write(values));
  }

  /** Waits until everything reported is written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(values: ImportStanding): Promise<void> {
    try {
      const goesOn = await reportImport(this.#services.database, this.#matchId, values);
      if (!goesOn) this.#ended.abort(new Error("The match was deleted, or ended by another worker."));
    } catch (error) {
      // Progress is for the eye only: an import does not fail because a figure could not be written.
      this.#services.log.warn({ error, matchId: this.#matchId }, "import progress not written");
    } finally {
      this.#pending = false;
    }
  }
}
