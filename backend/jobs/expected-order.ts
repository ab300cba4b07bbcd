import type { JobName, JobQueue } from "./job-queue.ts";

export interface Line<Job> {
  /** Owners of the running jobs, in the order in which these began; an owner appears once for each job. */
  running: readonly number[];
  /** Waiting jobs, in the order in which they were sent. */
  waiting: readonly { job: Job; ownerId: number }[];
  /** When each owner was last served, from `JobQueue.turns`. */
  turns: ReadonlyMap<number, number>;
}

/** An owner of waiting jobs. A `Candidate` is their rank at some time; when it changes there is a new one, and the old one is skipped. */
interface Owner {
  /** Positions of their jobs in the line. */
  places: number[];
  /** How many of those have begun. */
  begun: number;
  running: number;
  turn: number;
  standing: Candidate | null;
}

interface Candidate {
  owner: Owner;
  /** The lower the earlier; the first difference decides. */
  rank: readonly [running: number, turn: number, place: number];
}

/**
 * The order in which waiting jobs will begin if nothing is sent meanwhile and jobs end in the order in which they began: a simulation of
 * `JobTable.take`. It takes W log W for W waiting jobs, since a queue may have thousands of them and players often ask for their place in
 * it.
 */
export function expectedOrder<Job>({ running, waiting, turns }: Line<Job>): Job[] {
  let lastTurn = 0;
  for (const turn of turns.values()) lastTurn = Math.max(lastTurn, turn);
  const owners = new Map<number, Owner>();
  const ownerOf = (id: number) => {
    const known = owners.get(id);
    if (known) return known;
    const owner: Owner = { places: [], begun: 0, running: 0, turn: turns.get(id) ?? 0, standing: null };
    owners.set(id, owner);
    return owner;
  };
  for (const [place, { ownerId }] of waiting.entries()) ownerOf(ownerId).places.push(place);
  const inHand = running.map(ownerOf);
  for (const owner of inHand) owner.running++;

  const line: Candidate[] = [];
  const rankAnew = (owner: Owner) => {
    const place = owner.places[owner.begun];
    owner.standing = place === undefined ? null : { owner, rank: [owner.running, owner.turn, place] };
    if (owner.standing) push(line, owner.standing);
  };
  for (const owner of owners.values()) rankAnew(owner);

  const order: Job[] = [];
  let ended = 0;
  while (order.length < waiting.length) {
    const served = inHand[ended];
    if (served) {
      ended++;
      served.running--;
      served.turn = ++lastTurn;
      rankAnew(served);
    }
    let next = pop(line);
    while (next && next.owner.standing !== next) next = pop(line);
    if (!next) break;
    const { owner, rank } = next;
    const job = waiting[rank[2]];
    if (job) order.push(job.job);
    owner.begun++;
    owner.running++;
    inHand.push(owner);
    rankAnew(owner);
  }
  return order;
}

function isBefore({ rank: one }: Candidate, { rank: other }: Candidate): boolean {
  if (one[0] !== other[0]) return one[0] < other[0];
  if (one[1] !== other[1]) return one[1] < other[1];
  return one[2] < other[2];
}

/** Adds to a binary heap: each precedes the two at twice its index plus one and plus two. */
function push(heap: Candidate[], added: Candidate): void {
  let index = heap.length;
  while (index > 0) {
    const above = (index - 1) >> 1;
    const parent = heap[above];
    if (!parent || !isBefore(added, parent)) break;
    heap[index] = parent;
    index = above;
  }
  heap[index] = added;
}

/** @returns the first of all, removed from the heap */
function pop(heap: Candidate[]): Candidate | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let index = 0;
  for (;;) {
    const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
    if (!left) break;
    const isRight = right !== undefined && isBefore(right, left);
    const child = isRight ? right : left;
    if (!isBefore(child, last)) break;
    heap[index] = child;
    index = 2 * index + (isRight ? 2 : 1);
  }
  heap[index] = last;
  return first;
}

/** A waiting or running job, reduced to what determines the order. */
export interface InLine {
  ownerId: number;
  isAutomatic: boolean;
  isRunning: boolean;
}

/**
 * The waiting jobs of a queue in the order in which they will begin: those that players asked for, in turns, and after them all automatic
 * ones (decision 163).
 * @param inLine running jobs by their begin, then waiting ones by when they were sent
 */
export async function expectedLine<Job extends InLine>(
  jobs: JobQueue,
  name: JobName,
  inLine: readonly Job[],
): Promise<Job[]> {
  const order: Job[] = [];
  for (const isAutomatic of [false, true]) {
    const ofLane = inLine.filter((job) => job.isAutomatic === isAutomatic);
    const running = ofLane.filter(({ isRunning }) => isRunning).map(({ ownerId }) => ownerId);
    const waiting = ofLane.filter(({ isRunning }) => !isRunning).map((job) => ({ job, ownerId: job.ownerId }));
    const turns = await jobs.turns(name, [...new Set(waiting.map(({ ownerId }) => ownerId))], isAutomatic);
    order.push(...expectedOrder({ running, waiting, turns }));
  }
  return order;
}
