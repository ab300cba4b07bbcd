import fc from "fast-check";
import { expect, test } from "vitest";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { expectedOrder, type Line } from "./expected-order.ts";

const [ann, ben, cem] = [1, 2, 3];

const waitingOf = (...owners: number[]) => owners.map((ownerId, index) => ({ job: index + 1, ownerId }));

test("Players who were never served take turns, in the order in which they came", () => {
  const waiting = waitingOf(ann, ann, ann, ben, ben, cem);
  expect(expectedOrder({ running: [], waiting, turns: new Map() })).toEqual([1, 4, 6, 2, 5, 3]);
});

test("Who was served longest ago goes before who came first", () => {
  const turns = new Map([
    [ann, 7],
    [ben, 3],
  ]);
  expect(expectedOrder({ running: [], waiting: waitingOf(ann, ben, cem), turns })).toEqual([3, 2, 1]);
});

test("Who has jobs running waits until the others have as many", () => {
  const turns = new Map([[ben, 9]]);
  expect(expectedOrder({ running: [ann, ann], waiting: waitingOf(ann, ben, ben), turns })).toEqual([2, 1, 3]);
});

test("Nothing waiting, nothing expected", () => {
  expect(expectedOrder({ running: [ann], waiting: [], turns: new Map() })).toEqual([]);
});

/** The obvious algorithm: before each job it looks at everybody who waits. */
function orderByLookingAtAll<Job>({ running, waiting, turns: turnsNow }: Line<Job>): Job[] {
  const turns = new Map(turnsNow);
  const inHand = [...running];
  const left = waiting.map((job, place) => ({ ...job, place }));
  let lastTurn = Math.max(0, ...turns.values());
  const order: Job[] = [];
  while (left.length > 0) {
    const ended = inHand.shift();
    if (ended !== undefined) turns.set(ended, ++lastTurn);
    const ranked = left.map(({ ownerId, place }) => ({
      place,
      rank: [inHand.filter((owner) => owner === ownerId).length, turns.get(ownerId) ?? 0, place] as const,
    }));
    ranked.sort(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    const [next] = left.splice(
      left.findIndex(({ place }) => place === ranked[0]?.place),
      1,
    );
    if (!next) break;
    order.push(next.job);
    inHand.push(next.ownerId);
  }
  return order;
}

test("The order of any queue is that of looking at everybody before each job", () => {
  const owner = fc.integer({ min: 1, max: 8 });
  const anyLine = fc.record({
    running: fc.array(owner, { maxLength: 6 }),
    waiting: fc.array(owner, { maxLength: 30 }).map((owners) => waitingOf(...owners)),
    turns: fc.uniqueArray(fc.tuple(owner, fc.integer({ min: 1, max: 20 })), { selector: ([id]) => id }),
  });
  fc.assert(
    fc.property(anyLine, ({ running, waiting, turns }) => {
      const line = { running, waiting, turns: new Map(turns) };
      expect(expectedOrder(line)).toEqual(orderByLookingAtAll(line));
    }),
    { numRuns: 1000 },
  );
});

test("Twenty-four thousand jobs of eight thousand players are played through in a moment", () => {
  const players = 8000;
  const waiting = waitingOf(...Array.from({ length: 3 * players }, (_, index) => index % players));
  const turns = new Map(Array.from({ length: players }, (_, index) => [index, players - index]));
  const before = process.cpuUsage();
  expect(expectedOrder({ running: [0, 1], waiting, turns })).toHaveLength(3 * players);
  const { user, system } = process.cpuUsage(before);
  // A fifth of a second of processor time; looking at everybody before each job takes more than half a minute.
  expect((user + system) / 1e6).toBeLessThan(5);
});

test("The queue does what was expected of it", async () => {
  const { services, remove } = await freshServices();
  try {
    const { database, jobs } = services;
    const ids: number[] = [];
    for (let n = 0; n < 4; n++) {
      const user = { steam_id: `7656119999970000${n}`, steam_name: `player ${n}`, created_at: services.now() };
      ids.push((await database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow()).id);
    }
    const began: number[] = [];
    let goOn = () => {};
    const go = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await jobs.work("render", 1, async ({ clipId }) => {
      began.push(clipId);
      // The third is running when the others are sent.
      if (clipId === 3) await go;
    });
    let sent = 0;
    const send = async (player: number) => {
      const ownerId = ids[player] ?? 0;
      sent++;
      await jobs.send("render", { clipId: sent }, { ownerId });
      return { job: sent, ownerId };
    };
    for (const player of [2, 1, 2]) await send(player);
    await expect.poll(() => began, { timeout: 20_000 }).toEqual([1, 2, 3]);
    const waiting = [];
    for (const player of [0, 1, 0, 1, 2, 2, 3, 0, 3]) waiting.push(await send(player));
    const turns = await jobs.turns("render", ids);
    expect([...turns.keys()].sort()).toEqual([ids[1], ids[2]].sort());
    const expected = expectedOrder({ running: [ids[2] ?? 0], waiting, turns });
    goOn();
    await expect.poll(() => began.length, { timeout: 20_000 }).toBe(12);
    expect(began.slice(3)).toEqual(expected);
  } finally {
    await remove();
  }
});
