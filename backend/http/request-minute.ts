const minuteMs = 60_000;
/** When a minute has more callers than this, the earliest are forgotten: a flood from everywhere must not fill the memory. */
const callersKept = 25_000;

/** Callers are reported to other processes from 1/8 of the limit on: only spread over this many processes can they exceed it unnoticed. */
const unnoticedProcesses = 8;

/** A caller's standing in the minute, as known to this process. */
export interface MinuteStanding {
  limit: number;
  /** Remaining requests. */
  left: number;
  secondsLeft: number;
}

/** Counts of a minute for other processes: the requests of these callers since the last report. */
export interface MinuteReport {
  minuteStart: Date;
  added: ReadonlyMap<string, number>;
}

/**
 * Requests a minute by caller, counted in this process and added to what other processes report. Requests cost no write: callers far from
 * the limit are not even reported.
 */
export class RequestMinute {
  readonly #limit: number;
  readonly #now: () => Date;
  #minute = 0;
  #counts = new Map<string, number>();
  #older = new Map<string, number>();
  /** Requests that other processes reported for a caller. */
  #others = new Map<string, number>();
  #reported = new Map<string, number>();

  constructor(limit: number, now: () => Date) {
    this.#limit = limit;
    this.#now = now;
  }

  /** The number of remembered callers. */
  get callers(): number {
    return this.#counts.size + this.#older.size;
  }

  /** @returns 0 when the request is within the limit, else the seconds until the next minute */
  count(caller: string): number {
    const time = this.#now().getTime();
    const minute = Math.floor(time / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts = new Map();
      this.#older = new Map();
      this.#others = new Map();
      this.#reported = new Map();
    } else if (this.#counts.size >= callersKept) {
      this.#older = this.#counts;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(caller) ?? this.#older.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return this.#everywhere(caller) <= this.#limit ? 0 : secondsLeftAt(time);
  }

  /** To be called after `count`. */
  standing(caller: string): MinuteStanding {
    const left = Math.max(0, this.#limit - this.#everywhere(caller));
    return { limit: this.#limit, left, secondsLeft: secondsLeftAt(this.#now().getTime()) };
  }

  #everywhere(caller: string): number {
    return (this.#counts.get(caller) ?? this.#older.get(caller) ?? 0) + (this.#others.get(caller) ?? 0);
  }

  /** Whether other processes should hear about this caller. */
  isReportable(caller: string): boolean {
    return (this.#counts.get(caller) ?? 0) * unnoticedProcesses >= this.#limit;
  }

  /** Returns the counts to report and marks them as reported. */
  takeReport(): MinuteReport {
    const added = new Map<string, number>();
    for (const [caller, count] of this.#counts) {
      const reported = this.#reported.get(caller) ?? 0;
      if (!this.isReportable(caller) || count <= reported) continue;
      added.set(caller, count - reported);
      this.#reported.set(caller, count);
    }
    return { minuteStart: new Date(this.#minute * minuteMs), added };
  }

  /** @param totals of all processes, including this one's reports */
  addReported(minuteStart: Date, totals: ReadonlyMap<string, number>): void {
    if (minuteStart.getTime() !== this.#minute * minuteMs) return;
    for (const [caller, total] of totals) {
      this.#others.set(caller, Math.max(0, total - (this.#reported.get(caller) ?? 0)));
    }
  }
}

/** Seconds until the end of a time's minute: 1..60. */
function secondsLeftAt(time: number): number {
  return Math.ceil((minuteMs - (time % minuteMs)) / 1000);
}
