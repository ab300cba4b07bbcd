import { cutToWidth } from "./display-width.ts";
import { clockTime } from "./highlight-table.ts";

/** Where progress is told: standard error, or what stands for it in a test. */
export interface ProgressOutput {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  write(text: string): unknown;
}

export interface ProgressStage {
  /** What is being done: "rendering". */
  name: string;
  /** Share of the whole time that it takes, as far as anybody knows beforehand. All of them make 1. */
  share: number;
}

const barColumns = 24;
/** A terminal is drawn so often. */
const drawEveryMs = 100;
/** Whoever reads a log is told so often. */
const lineEveryMs = 10_000;
/** Before, the time left would be a guess. */
const leastKnown = 0.05;

/**
 * How far a piece of work is: on a terminal a bar that is drawn anew in its line, elsewhere a line every ten seconds. The last stage
 * takes the longest, so in it the time left is told by its own pace.
 */
export class ProgressBar {
  readonly #output: ProgressOutput | null;
  readonly #title: string;
  readonly #stages: readonly ProgressStage[];
  readonly #now: () => number;
  readonly #begun: number;
  #stage = -1;
  #stageBegun = 0;
  #fraction = 0;
  #written: number;
  #drawn = false;

  /** @param output null: nothing is told. @param now milliseconds of a clock that only rises */
  constructor(
    output: ProgressOutput | null,
    title: string,
    stages: readonly ProgressStage[],
    now: () => number = () => performance.now(),
  ) {
    this.#output = output;
    this.#title = title;
    this.#stages = stages;
    this.#now = now;
    this.#begun = now();
    // What is done within ten seconds needs no line in a log.
    this.#written = this.#begun;
  }

  /** @param fraction 0..1 of the stage; null when nobody can say */
  report(stage: string, fraction: number | null): void {
    const index = this.#stages.findIndex(({ name }) => name === stage);
    const isNext = index > this.#stage;
    if (isNext) {
      this.#stage = index;
      this.#stageBegun = this.#now();
      this.#fraction = 0;
    }
    // Another process says so: it never goes back, and never beyond its end.
    if (index === this.#stage) this.#fraction = Math.max(this.#fraction, Math.min(1, fraction ?? 0));
    if (!this.#output) return;
    const everyMs = this.#output.isTTY ? drawEveryMs : lineEveryMs;
    if (this.#now() - this.#written < everyMs && !(isNext && this.#output.isTTY)) return;
    this.#written = this.#now();
    if (this.#output.isTTY) this.#draw(this.#output);
    else this.#output.write(`${this.#title}: ${this.#words().join(", ")}\n`);
  }

  /** Takes the bar away, so that something else can stand in its line. */
  clear(): void {
    if (this.#drawn) this.#output?.write("\r\u001b[K");
    this.#drawn = false;
  }

  /** 0..1 */
  get fraction(): number {
    const before = this.#stages.slice(0, Math.max(0, this.#stage)).reduce((sum, { share }) => sum + share, 0);
    return Math.min(1, before + (this.#stages[this.#stage]?.share ?? 0) * this.#fraction);
  }

  #draw(output: ProgressOutput): void {
    const filled = Math.round(this.fraction * barColumns);
    const bar = "█".repeat(filled) + "░".repeat(barColumns - filled);
    const [stage = "", percent = "", left = ""] = this.#words();
    const line = `${bar} ${percent.padStart(4)}  ${this.#title}: ${stage}${left && `, ${left}`}`;
    // The last column stays free: some terminals begin a new line there.
    output.write(`\r${cutToWidth(line, (output.columns ?? 80) - 1)}\u001b[K`);
    this.#drawn = true;
  }

  #words(): string[] {
    const left = this.#secondsLeft();
    return [
      this.#stages[this.#stage]?.name ?? "",
      `${Math.floor(this.fraction * 100)} %`,
      ...(left === null ? [] : [`${clockTime(left)} left`]),
    ];
  }

  #secondsLeft(): number | null {
    const isLast = this.#stage === this.#stages.length - 1;
    const fraction = isLast ? this.#fraction : this.fraction;
    if (fraction < leastKnown) return null;
    const elapsed = this.#now() - (isLast ? this.#stageBegun : this.#begun);
    return (elapsed * (1 - fraction)) / fraction / 1000;
  }
}
