const minuteMs = 60_000;
/** After so many callers of one minute those before them are forgotten: a flood from everywhere must not fill the memory. */
const callersKept = 25_000;

/** As many processes at least would have to be asked by turns to get one request more than the limit past them unheard. */
const untoldShares = 8;

/** How a caller stands in the minute, as far as it is known here. */
export interface MinuteStanding {
  limit: number;
  /** Requests that are left. */
  left: number;
  secondsLeft: number;
}

/** What of a minute is told to other processes: how often these callers were counted since they were told last. */
export interface MinuteNews {
  minuteStart: Date;
  added: ReadonlyMap<string, number>;
}

/**
 * Requests a minute by caller, counted in this process, and by what others tell of theirs. Costs no write a request: callers that are
 * far from the limit are not even told of.
 */
export class RequestMinute {
  readonly #limit: number;
  readonly #now: () => Date;
  #minute = 0;
  #counts = new Map<string, number>();
  #older = new Map<string, number>();
  /** How often others have counted a caller, as far as it is known here. */
  #others = new Map<string, number>();
  #told = new Map<string, number>();

  constructor(limit: number, now: () => Date) {
    this.#limit = limit;
    this.#now = now;
  }

  /** How many are remembered. */
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
      this.#told = new Map();
    } else if (this.#counts.size >= callersKept) {
      this.#older = this.#counts;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(caller) ?? this.#older.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return this.#everywhere(caller) <= this.#limit ? 0 : secondsLeftAt(time);
  }

  /** After `count`. */
  standing(caller: string): MinuteStanding {
    const left = Math.max(0, this.#limit - this.#everywhere(caller));
    return { limit: this.#limit, left, secondsLeft: secondsLeftAt(this.#now().getTime()) };
  }

  #everywhere(caller: string): number {
    return (this.#counts.get(caller) ?? this.#older.get(caller) ?? 0) + (this.#others.get(caller) ?? 0);
  }

  /** Whether this caller is worth telling others of. */
  isNews(caller: string): boolean {
    return (this.#counts.get(caller) ?? 0) * untoldShares >= this.#limit;
  }

  /** What is to be told, which counts as told from then on. */
  takeNews(): MinuteNews {
    const added = new Map<string, number>();
    for (const [caller, count] of this.#counts) {
      const told = this.#told.get(caller) ?? 0;
      if (!this.isNews(caller) || count <= told) continue;
      added.set(caller, count - told);
      this.#told.set(caller, count);
    }
    return { minuteStart: new Date(this.#minute * minuteMs), added };
  }

  /** @param totals of all processes, this one's news included */
  hear(minuteStart: Date, totals: ReadonlyMap<string, number>): void {
    if (minuteStart.getTime() !== this.#minute * minuteMs) return;
    for (const [caller, total] of totals) {
      this.#others.set(caller, Math.max(0, total - (this.#told.get(caller) ?? 0)));
    }
  }
}

/** Of the minute that a time is in: 1..60. */
function secondsLeftAt(time: number): number {
  return Math.ceil((minuteMs - (time % minuteMs)) / 1000);
}
