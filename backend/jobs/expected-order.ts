export interface Line<Job> {
  /** Owners of the running jobs, the one that began first at the beginning; an owner as often as they have jobs running. */
  running: readonly number[];
  /** What waits, the one that was sent first at the beginning. */
  waiting: readonly { job: Job; ownerId: number }[];
  /** When each owner was served last, as `JobQueue.turns` tells it. */
  turns: ReadonlyMap<number, number>;
}

/**
 * The order in which waiting jobs will begin if nothing is sent meanwhile and jobs end in the order in which they began: that
 * of `JobTable.take`, played through.
 */
export function expectedOrder<Job>({ running, waiting, turns: turnsNow }: Line<Job>): Job[] {
  const turns = new Map(turnsNow);
  let lastTurn = Math.max(0, ...turns.values());
  const jobsOf = new Map<number, Job[]>();
  for (const { job, ownerId } of waiting) jobsOf.set(ownerId, [...(jobsOf.get(ownerId) ?? []), job]);
  const places = new Map(waiting.map(({ job }, place) => [job, place]));
  const inHand = [...running];

  const order: Job[] = [];
  while (jobsOf.size > 0) {
    const ended = inHand.shift();
    if (ended !== undefined) turns.set(ended, ++lastTurn);
    const rank = (ownerId: number) => [
      inHand.filter((owner) => owner === ownerId).length,
      turns.get(ownerId) ?? 0,
      places.get(jobsOf.get(ownerId)?.[0] as Job) ?? 0,
    ];
    const next = [...jobsOf.keys()].reduce((best, owner) => (isBefore(rank(owner), rank(best)) ? owner : best));
    const [job, ...left] = jobsOf.get(next) ?? [];
    if (job !== undefined) order.push(job);
    if (left.length > 0) jobsOf.set(next, left);
    else jobsOf.delete(next);
    inHand.push(next);
  }
  return order;
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  for (const [index, value] of one.entries()) {
    const difference = value - (other[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
