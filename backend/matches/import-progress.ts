import type { ProcessingStatus } from "../../contract/statuses.ts";
import { ProgressWriter } from "../jobs/progress-writer.ts";
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

/** Status text of an import that waits within a process. @param position 1 for the next */
const waitingText = (position: number) => `waiting for its turn, position ${position}`;

/** The way back. @param operation of a match @returns null when it does not wait in such a line */
export function toldPosition(operation: string): number | null {
  const position = Number(/^waiting for its turn, position (\d+)$/.exec(operation)?.[1]);
  return position > 0 ? position : null;
}

/** A player's page asks every 2 s. */
const writeEveryMs = 500;

/** Writes the progress of an import to the database: every new stage at once, progress within a stage now and then. */
export class ImportProgress {
  readonly #writer: ProgressWriter<ImportStanding>;
  #stage: ImportStage | "waiting" | null = null;

  constructor({ database, log }: Services, matchId: string) {
    this.#writer = new ProgressWriter({
      write: (standing) => reportImport(database, matchId, standing),
      everyMs: writeEveryMs,
      goneReason: "The match was deleted, or ended by another worker.",
      onError: (error) => log.warn({ err: error, matchId }, "import progress not written"),
    });
  }

  /** Aborted when the match is deleted, or another worker has ended its import. */
  get signal(): AbortSignal {
    return this.#writer.signal;
  }

  /**
   * @param fraction 0..1 of the stage; null when nobody can say
   */
  report(stage: ImportStage, fraction: number | null = null): void {
    const isNewStage = stage !== this.#stage;
    this.#stage = stage;
    const [from, to] = shares[stage];
    const within = Math.min(1, Math.max(0, fraction ?? 0));
    const standing = {
      status: stage,
      progress: from + (to - from) * within,
      operation: fraction === null ? "" : `${Math.floor(within * 100)} %`,
    };
    if (isNewStage) this.#writer.reportAtOnce(standing);
    else this.#writer.report(standing);
  }

  /**
   * Reports that the import waits until others are downloaded, or parsed.
   * @param position 1 for the next
   */
  reportWaiting(before: "download" | "parse", position: number): void {
    this.#stage = "waiting";
    const operation = waitingText(position);
    this.#writer.reportAtOnce(
      before === "download"
        ? { status: "queued", progress: 0, operation }
        : { status: "processing_demo", progress: shares.downloading_demo[1], operation },
    );
  }

  /** Waits until everything reported is written. */
  settled(): Promise<void> {
    return this.#writer.settled();
  }
}
