/** What a part of the harness found about one promise. */
export interface Judgement {
  /** The promise as a user would say it: "acknowledged writes survive a killed server". */
  promise: string;
  /** How often it was put to the test. */
  cases: number;
  /** A sentence for each case that was lost, or let in. Empty when the promise held. */
  broken: string[];
  /** Figures beside the verdict. */
  note?: string;
  /** Why it was not put to the test on this machine. */
  skipped?: string;
}

let report = (_promise: string, _sentence: string): void => {};

/** Who is told of everything that is broken at once: the table comes at the end, in a long run after hours. */
export function reportFaultsTo(listener: (promise: string, sentence: string) => void): void {
  report = listener;
}

/** Collects the cases of one promise. */
export class Judge {
  readonly promise: string;
  #cases = 0;
  #broken: string[] = [];
  #note: string | undefined;

  constructor(promise: string) {
    this.promise = promise;
  }

  /** Counts cases that held, unless `isBroken` says otherwise. */
  count(cases: number): void {
    this.#cases += cases;
  }

  /** Counts a case. @param sentence what is wrong when it did not hold */
  check(holds: boolean, sentence: string): void {
    this.#cases++;
    if (!holds) this.fault(sentence);
  }

  /** Adds what is wrong without counting a case: for cases counted as they were made. */
  fault(sentence: string): void {
    this.#broken.push(sentence);
    report(this.promise, sentence);
  }

  note(text: string): void {
    this.#note = text;
  }

  get judgement(): Judgement {
    const note = this.#note === undefined ? {} : { note: this.#note };
    return { promise: this.promise, cases: this.#cases, broken: this.#broken, ...note };
  }
}

export function skipped(promise: string, reason: string): Judgement {
  return { promise, cases: 0, broken: [], skipped: reason };
}

const shownSentences = 12;

/** The table a person reads: promise, cases, lost or let in; below it what was. */
export function judgementTable(judgements: readonly Judgement[]): string {
  const rows = judgements.map(({ promise, cases, broken, note, skipped: reason }) => [
    promise,
    reason === undefined ? String(cases) : "–",
    reason === undefined ? String(broken.length) : "–",
    reason === undefined ? (note ?? "") : `skipped: ${reason}`,
  ]);
  const head = ["promise", "cases", "lost or let in", "note"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 1 || column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column === 1 || column === 2 ? `${"-".repeat(width + 1)}:` : "-".repeat(width + 2))).join("|")}|`;
  const faults = judgements.flatMap(({ promise, broken }) =>
    broken.length === 0
      ? []
      : [
          `\nBROKEN: ${promise}`,
          ...broken.slice(0, shownSentences).map((sentence) => `  ${sentence}`),
          ...(broken.length > shownSentences ? [`  … and ${broken.length - shownSentences} more`] : []),
        ],
  );
  return [line(head), rule, ...rows.map(line), ...faults].join("\n");
}
