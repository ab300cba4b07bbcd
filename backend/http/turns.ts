import { type ConnectionBindings, hasHungUp, networkOf } from "./client-address.ts";

/** One request and its sender. */
export interface Visit {
  /** Key under which requests are counted (`networkOf`). */
  network: string;
  /** True once nobody is left to read the answer. */
  hasLeft(): boolean;
  /** True once the whole answer was passed to the connection. */
  isAnswered(): boolean;
}

export interface TurnLimits {
  /** Answers in progress at once, for everybody. */
  atOnce: number;
  /** Answers in progress at once for one network. */
  ofNetwork: number;
  /** Waiting requests of one network. */
  waitingOfNetwork: number;
  /** Waiting requests of everybody. */
  waiting: number;
  /** Answers to one network that are ready but unread, or that lost their place after `placeMs`. */
  unreadOfNetwork: number;
  /** How long an answer keeps its place: a longer one waits for Steam, a store or a player's server, and does not use the thread. */
  placeMs: number;
}

/**
 * A page takes 10 to 40 ms of the one thread that everybody shares. A browser requests six at once over HTTP/1.1; a network with that many
 * in progress gets its next turn when one is done, and other networks come in between.
 */
export const pageTurns: TurnLimits = {
  atOnce: 24,
  ofNetwork: 6,
  waitingOfNetwork: 64,
  waiting: 1024,
  unreadOfNetwork: 24,
  placeMs: 2000,
};

/** API calls are shorter, a script sends many at once, and a list of clips has a picture each, which are read as they arrive. */
export const callTurns: TurnLimits = {
  atOnce: 48,
  ofNetwork: 12,
  waitingOfNetwork: 256,
  waiting: 2048,
  unreadOfNetwork: 128,
  placeMs: 2000,
};

/**
 * How many begin in one turn of the event loop. The embedded database answers within that turn: of a hundred requests in one packet each
 * would be done before the next is read, so that none would wait, and no other network would be heard.
 */
const begunInOneLoop = 4;

/** Idle networks are swept once this many are remembered. */
const sweptFrom = 256;

/** Retry-After of a refused visit: a full queue is worked off by then. */
export const turnAfterSeconds = 5;

/**
 * - `turn`: the answer may be made; `end` must be called once it is
 * - `left`: the visitor left while waiting
 * - `network full`, `server full`: too many wait, of this network or of all
 */
export type Turn = { kind: "turn"; end(): void } | { kind: "left" | "network full" | "server full" };

/** @param address the visitor's (`clientAddress`) */
export function visitOf(address: string, bindings: ConnectionBindings | undefined): Visit {
  return {
    network: networkOf(address),
    hasLeft: () => hasHungUp(bindings),
    isAnswered: () => bindings?.outgoing?.writableFinished ?? true,
  };
}

interface Waiting {
  visit: Visit;
  start(turn: Turn): void;
}

interface Network {
  underWay: number;
  waiting: Waiting[];
  /** Visits without a place whose answers the connection has not taken yet. */
  unread: Visit[];
}

/**
 * Limits how many answers are made at once, in turns by network: simultaneous requests of one network wait for each other, and other
 * networks do not wait for them. A turn begins at once if there is room.
 */
export class Turns {
  readonly #limits: TurnLimits;
  /** Networks with something in progress, waiting or unread; the first has the next turn. */
  readonly #networks = new Map<string, Network>();
  #underWay = 0;
  #waiting = 0;
  #begunNow = 0;
  #sweptAt = sweptFrom;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** The number of remembered networks. */
  get networks(): number {
    return this.#networks.size;
  }

  /** @returns at once if there is room, or none to wait in; else when it is this visit's turn */
  take(visit: Visit): Turn | Promise<Turn> {
    const limits = this.#limits;
    const network = this.#networkOf(visit);
    if (network.unread.length >= limits.unreadOfNetwork) return { kind: "network full" };
    if (this.#mayBegin() && network.underWay < limits.ofNetwork) return this.#begin(visit, network);
    this.#dropLeft(network);
    if (network.waiting.length >= limits.waitingOfNetwork) return { kind: "network full" };
    if (this.#waiting >= limits.waiting) return { kind: "server full" };
    this.#waiting++;
    return new Promise((start) => network.waiting.push({ visit, start }));
  }

  #networkOf({ network: name }: Visit): Network {
    const known = this.#networks.get(name);
    if (known) {
      known.unread = known.unread.filter(isUnread);
      return known;
    }
    if (this.#networks.size >= this.#sweptAt) this.#sweep();
    const network: Network = { underWay: 0, waiting: [], unread: [] };
    this.#networks.set(name, network);
    return network;
  }

  /** No event says when an answer was read, so networks that do not come back are checked here. */
  #sweep(): void {
    for (const [name, network] of this.#networks) {
      this.#dropLeft(network);
      network.unread = network.unread.filter(isUnread);
      if (network.underWay + network.waiting.length + network.unread.length === 0) this.#networks.delete(name);
    }
    this.#sweptAt = Math.max(sweptFrom, 2 * this.#networks.size);
  }

  #mayBegin(): boolean {
    return this.#underWay < this.#limits.atOnce && this.#begunNow < begunInOneLoop;
  }

  #begin(visit: Visit, network: Network): Turn {
    this.#underWay++;
    if (this.#begunNow++ === 0) {
      setImmediate(() => {
        this.#begunNow = 0;
        this.#next();
      });
    }
    network.underWay++;
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(outOfPlace);
      this.#underWay--;
      network.underWay--;
      network.unread = [...network.unread, visit].filter(isUnread);
      this.#next();
    };
    const outOfPlace = setTimeout(end, this.#limits.placeMs).unref();
    return { kind: "turn", end };
  }

  #next(): void {
    if (this.#waiting === 0) return;
    for (const [name, network] of this.#networks) {
      if (!this.#mayBegin()) return;
      this.#dropLeft(network);
      if (network.underWay >= this.#limits.ofNetwork) continue;
      const next = network.waiting.shift();
      if (!next) continue;
      this.#waiting--;
      // Moves the network to the end: the next turn goes to another.
      this.#networks.delete(name);
      this.#networks.set(name, network);
      next.start(this.#begin(next.visit, network));
    }
  }

  #dropLeft(network: Network): void {
    if (!network.waiting.some(({ visit }) => visit.hasLeft())) return;
    const [left, stay] = [network.waiting.filter(hasLeft), network.waiting.filter((each) => !hasLeft(each))];
    network.waiting = stay;
    this.#waiting -= left.length;
    for (const { start } of left) start({ kind: "left" });
  }
}

const isUnread = (visit: Visit) => !visit.isAnswered() && !visit.hasLeft();
const hasLeft = ({ visit }: Waiting) => visit.hasLeft();
