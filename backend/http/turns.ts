import { type ConnectionBindings, hasHungUp, networkOf } from "./client-address.ts";

/** One request and who asks. */
export interface Visit {
  /** What requests are counted by (`networkOf`). */
  network: string;
  /** True once nobody is there any more to read the answer. */
  hasLeft(): boolean;
  /** True once the whole answer has been handed to the connection. */
  isAnswered(): boolean;
}

export interface TurnLimits {
  /** Answers that are made at once, for everybody. */
  atOnce: number;
  /** Of them for one network. */
  ofNetwork: number;
  /** Requests of one network that wait for their turn. */
  waitingOfNetwork: number;
  /** Requests that wait, of everybody. */
  waiting: number;
  /** Answers to one network that are made and not yet read, or that have lost their place by `placeMs`. */
  unreadOfNetwork: number;
  /** How long an answer keeps its place: what takes longer waits for Steam, a store or somebody's own server, and works no thread. */
  placeMs: number;
}

/**
 * A page takes some 10 to 40 ms of the one thread that everybody shares. Six are what a browser asks for at once over HTTP/1.1; a network
 * that has so many on the way goes on with the next as one is done, and everybody else comes in between.
 */
export const pageTurns: TurnLimits = {
  atOnce: 24,
  ofNetwork: 6,
  waitingOfNetwork: 64,
  waiting: 1024,
  unreadOfNetwork: 24,
  placeMs: 2000,
};

/** A call of the API takes less, a script sends many at once, and a list of clips has a picture each: those are read as they come. */
export const callTurns: TurnLimits = {
  atOnce: 48,
  ofNetwork: 12,
  waitingOfNetwork: 256,
  waiting: 2048,
  unreadOfNetwork: 128,
  placeMs: 2000,
};

/**
 * So many begin in one turn of the event loop. The embedded database answers within that turn, so that of a hundred requests in one packet
 * each would be done before the next is read, none would have to wait, and nobody else would be heard.
 */
const begunInOneLoop = 4;

/** Networks that are remembered before those that have nothing left are looked for. */
const sweptFrom = 256;

/** For who is refused: by then a full queue has been worked off. */
export const turnAfterSeconds = 5;

/**
 * - `turn`: the answer may be made; `end` must be called once it is
 * - `left`: whoever asked has gone while waiting
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
  /** Visits that have no place any more, until the connection has taken their answers. */
  unread: Visit[];
}

/**
 * Has answers made a few at a time, and in turns by network: requests that one network sends at once wait for each other, and nobody else
 * waits for them. Where there is room a turn begins at once.
 */
export class Turns {
  readonly #limits: TurnLimits;
  /** Those with something under way, waiting or unread; whose turn is next stands first. */
  readonly #networks = new Map<string, Network>();
  #underWay = 0;
  #waiting = 0;
  #begunNow = 0;
  #sweptAt = sweptFrom;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** How many networks are remembered. */
  get networks(): number {
    return this.#networks.size;
  }

  /** @returns at once where there is room, or where there is none to wait in; else when it is this visit's turn */
  take(visit: Visit): Turn | Promise<Turn> {
    const limits = this.#limits;
    const network = this.#networkOf(visit);
    if (network.unread.length >= limits.unreadOfNetwork) return { kind: "network full" };
    if (this.#mayBegin() && network.underWay < limits.ofNetwork) return this.#begin(visit, network);
    this.#dropWhoLeft(network);
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

  /** Nothing tells when an answer has been read: of whoever does not come again that is seen here. */
  #sweep(): void {
    for (const [name, network] of this.#networks) {
      this.#dropWhoLeft(network);
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
      this.#dropWhoLeft(network);
      if (network.underWay >= this.#limits.ofNetwork) continue;
      const next = network.waiting.shift();
      if (!next) continue;
      this.#waiting--;
      // The next free turn is another network's.
      this.#networks.delete(name);
      this.#networks.set(name, network);
      next.start(this.#begin(next.visit, network));
    }
  }

  #dropWhoLeft(network: Network): void {
    if (!network.waiting.some(({ visit }) => visit.hasLeft())) return;
    const [left, stay] = [network.waiting.filter(hasLeft), network.waiting.filter((each) => !hasLeft(each))];
    network.waiting = stay;
    this.#waiting -= left.length;
    for (const { start } of left) start({ kind: "left" });
  }
}

const isUnread = (visit: Visit) => !visit.isAnswered() && !visit.hasLeft();
const hasLeft = ({ visit }: Waiting) => visit.hasLeft();
