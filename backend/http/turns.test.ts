import { expect, test } from "vitest";
import { type Turn, Turns, type Visit } from "./turns.ts";

const limits = { atOnce: 3, ofNetwork: 2, waitingOfNetwork: 4, waiting: 6, unreadOfNetwork: 5, placeMs: 60_000 };

interface Visitor extends Visit {
  left: boolean;
  answered: boolean;
}

function visitor(network: string): Visitor {
  return {
    network,
    left: false,
    answered: true,
    hasLeft() {
      return this.left;
    },
    isAnswered() {
      return this.answered;
    },
  };
}

const end = (turn: Turn | Promise<Turn> | undefined) => {
  if (!turn || turn instanceof Promise || turn.kind !== "turn") throw new Error("No turn");
  turn.end();
};

/** Takes turns and records each as `network kind`, in order. */
function watched(turns: Turns) {
  const given: string[] = [];
  const ends: (() => void)[] = [];
  const take = (visit: Visit) => {
    void Promise.resolve(turns.take(visit)).then((turn) => {
      given.push(`${visit.network} ${turn.kind}`);
      if (turn.kind === "turn") ends.push(turn.end);
    });
  };
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const endNext = async () => {
    ends.shift()?.();
    await settle();
  };
  return { given, take, settle, endNext };
}

test("Of more than begins in one turn of the event loop the rest begins in the next one, though the first are done", async () => {
  const turns = new Turns({ ...limits, atOnce: 100, ofNetwork: 100, waitingOfNetwork: 100, waiting: 100 });
  let begun = 0;
  for (let count = 0; count < 10; count++) {
    void Promise.resolve(turns.take(visitor("a"))).then((turn) => {
      begun++;
      end(turn);
    });
  }
  await Promise.resolve();
  expect(begun).toBe(4);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(begun).toBe(10);
});

test("Where there is room a turn begins at once", () => {
  const turns = new Turns(limits);
  expect(turns.take(visitor("a"))).toMatchObject({ kind: "turn" });
  expect(turns.take(visitor("a"))).toMatchObject({ kind: "turn" });
  expect(turns.take(visitor("a"))).toBeInstanceOf(Promise);
  expect(turns.take(visitor("b"))).toMatchObject({ kind: "turn" });
});

test("One network's requests wait for each other; others come in between", async () => {
  const turns = new Turns(limits);
  const { given, take, settle, endNext } = watched(turns);
  for (let count = 0; count < 5; count++) take(visitor("a"));
  for (const network of ["b", "b", "c"]) take(visitor(network));
  await settle();
  expect(given).toEqual(["a turn", "a turn", "b turn"]);
  for (let count = 0; count < 8; count++) await endNext();
  expect(given).toEqual([...Array(2).fill("a turn"), "b turn", "a turn", "b turn", "c turn", "a turn", "a turn"]);
  expect(turns.take(visitor("a"))).toMatchObject({ kind: "turn" });
});

test("Only so many wait, of one network and of all", () => {
  const turns = new Turns(limits);
  for (let count = 0; count < 6; count++) void turns.take(visitor("a"));
  expect(turns.take(visitor("a"))).toEqual({ kind: "network full" });
  for (let count = 0; count < 3; count++) void turns.take(visitor("b"));
  expect(turns.take(visitor("c"))).toEqual({ kind: "server full" });
});

test("Who has left makes room for those who wait, and is given no turn", async () => {
  const turns = new Turns(limits);
  const { given, take, settle, endNext } = watched(turns);
  const visits = Array.from({ length: 6 }, () => visitor("a"));
  for (const visit of visits) take(visit);
  for (const visit of visits.slice(2, 5)) visit.left = true;
  const late = visitor("a");
  take(late);
  await settle();
  expect(given).toEqual(["a turn", "a turn", "a left", "a left", "a left"]);
  await endNext();
  await endNext();
  expect(given.slice(5)).toEqual(["a turn", "a turn"]);
});

test("Pages that nobody reads are not made without end", async () => {
  const turns = new Turns(limits);
  const visits = Array.from({ length: 5 }, () => visitor("a"));
  for (const visit of visits) {
    visit.answered = false;
    end(await turns.take(visit));
  }
  expect(turns.take(visitor("a"))).toEqual({ kind: "network full" });
  expect(await turns.take(visitor("b"))).toMatchObject({ kind: "turn" });
  // Reading an answer and giving up both make room again.
  if (visits[0]) visits[0].answered = true;
  if (visits[1]) visits[1].left = true;
  expect(turns.take(visitor("a"))).toMatchObject({ kind: "turn" });
});

test("Who waits for something slow keeps a place for a while only, and counts towards what their network has under way", async () => {
  const turns = new Turns({ ...limits, placeMs: 20 });
  const slow = Array.from({ length: 5 }, (_, i) => visitor(i < 2 ? "a" : "b"));
  for (const visit of slow) visit.answered = false;
  const begun = await Promise.all(slow.map((visit) => turns.take(visit)));
  expect(begun.map(({ kind }) => kind)).toEqual(Array(5).fill("turn"));
  expect(await turns.take(visitor("c"))).toMatchObject({ kind: "turn" });
  for (let count = 0; count < 3; count++) {
    const visit = visitor("a");
    visit.answered = false;
    expect(await turns.take(visit)).toMatchObject({ kind: "turn" });
    slow.push(visit);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(turns.take(visitor("a"))).toEqual({ kind: "network full" });
  for (const visit of slow) visit.answered = true;
  begun.forEach(end);
  const atOnce = ["a", "a", "b", "c"].map((network) => turns.take(visitor(network)));
  // Slow visits do not give their places back twice.
  expect(atOnce.map((turn) => turn instanceof Promise)).toEqual([false, false, false, true]);
});

test("A turn that is ended twice is one turn", () => {
  const turns = new Turns(limits);
  const turn = turns.take(visitor("a"));
  end(turn);
  end(turn);
  for (const network of ["a", "b", "c"]) expect(turns.take(visitor(network))).toMatchObject({ kind: "turn" });
  expect(turns.take(visitor("d"))).toBeInstanceOf(Promise);
});

test("Of networks that have nothing left nothing is remembered", async () => {
  const turns = new Turns(limits);
  for (let count = 0; count < 3000; count++) end(await turns.take(visitor(`10.0.${count >> 8}.${count & 255}`)));
  expect(turns.networks).toBeLessThan(600);
});
