import type { JobName, JobQueue } from "./job-queue.ts";

export interface Line<Job> {
  /** Owners of the running jobs, the one that began first at the beginning; an owner as often as they have jobs running. */
  running: readonly number[];
  /** What waits, the one that was sent first at the beginning. */
  waiting: readonly { job: Job; ownerId: number }[];
  /** When each owner was served last, as `JobQueue.turns` tells it. */
  turns: ReadonlyMap<number, number>;
}

/** One who waits. Its rank at a time is a `Candidate`; when it changes there is a new one, and the old one is passed over. */
interface Owner {
  /** Places of what it has in the line. */
  places: number[];
  /** Of those, how many have begun. */
  begun: number;
  running: number;
  turn: number;
  standing: Candidate | null;
}

interface Candidate {
  owner: Owner;
  /** The lower the earlier, the first that differs decides. */
  rank: readonly [running: number, turn: number, place: number];
}

/**
 * The order in which waiting jobs will begin if nothing is sent meanwhile and jobs end in the order in which they began: that
 * of `JobTable.take`, played through. Its time is W log W for W waiting jobs, since a queue may have thousands of them and
 * players ask for their place in it all the time.
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

/** Into a binary heap: each stands before the two at twice its index, and one and two more. */
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

/** @returns the first of all, taken out of the heap */
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

/** What waits or runs, as the order asks for it. */
export interface InLine {
  ownerId: number;
  isAutomatic: boolean;
  isRunning: boolean;
}

/**
 * What waits in a queue, in the order in which it will begin: what players pressed for, in which they take turns, and behind all
 * of it what was made for them by itself (decision 163).
 * @param inLine what began first, then what was sent first
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
