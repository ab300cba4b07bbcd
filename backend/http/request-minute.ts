const minuteMs = 60_000;
/** After so many callers of one minute those before them are forgotten: a flood from everywhere must not fill the memory. */
const callersKept = 25_000;

/**
 * Requests a minute by caller, counted in this process alone: with several web processes the limit is that of each. Costs no
 * write a request.
 */
export class RequestMinute {
  readonly #limit: number;
  readonly #now: () => Date;
  #minute = 0;
  #counts = new Map<string, number>();
  #older = new Map<string, number>();

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
    } else if (this.#counts.size >= callersKept) {
      this.#older = this.#counts;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(caller) ?? this.#older.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return count <= this.#limit ? 0 : Math.ceil(((minute + 1) * minuteMs - time) / 1000);
  }
}
