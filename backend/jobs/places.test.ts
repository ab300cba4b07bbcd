import { expect, test } from "vitest";
import { Places } from "./places.ts";

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for named places, and records who got one and the positions of those who wait. */
function line(places: Places) {
  const got: string[] = [];
  const positions: string[] = [];
  const giveBack = new Map<string, () => void>();
  return {
    got,
    positions,
    giveBack: (name: string) => giveBack.get(name)?.(),
    ask: (name: string, key = name, signal = never) =>
      places.take({ key, signal, onWait: (position) => positions.push(`${name} ${position}`) }).then((back) => {
        got.push(name);
        giveBack.set(name, back);
      }),
  };
}

test("Places are given in the order of asking, and who waits hears how many are before them", async () => {
  const { got, positions, ask, giveBack } = line(new Places(2));
  for (const name of ["a", "b", "c", "d"]) void ask(name);
  await settled();
  expect(got).toEqual(["a", "b"]);
  expect(positions).toEqual(["c 1", "d 2"]);
  giveBack("b");
  giveBack("b");
  await settled();
  expect(got).toEqual(["a", "b", "c"]);
  expect(positions).toEqual(["c 1", "d 2", "d 1"]);
  giveBack("a");
  await settled();
  expect(got).toEqual(["a", "b", "c", "d"]);
});

test("What nobody pressed for lets everybody in the line go first", async () => {
  const places = new Places(1);
  const got: string[] = [];
  const giveBack: (() => void)[] = [];
  for (const [name, isAutomatic] of [
    ["a", true],
    ["b", true],
    ["c", false],
    ["d", true],
    ["e", false],
  ] as const) {
    void places.take({ key: name, signal: never, isAutomatic }).then((back) => {
      got.push(name);
      giveBack.push(back);
    });
  }
  for (let turn = 0; turn < 5; turn++) {
    await settled();
    giveBack[turn]?.();
  }
  expect(got).toEqual(["a", "c", "e", "b", "d"]);
});

test("One key holds its share of the places only, and those behind it go first", async () => {
  const { got, ask, giveBack } = line(new Places(4, 2));
  for (const name of ["slow 1", "slow 2", "slow 3", "slow 4"]) void ask(name, "slow host");
  void ask("sample", "other host");
  await settled();
  expect(got).toEqual(["slow 1", "slow 2", "sample"]);
  giveBack("slow 1");
  await settled();
  expect(got.at(-1)).toBe("slow 3");
});

test("Who stops waiting leaves the line, and takes no place", async () => {
  const { got, positions, ask, giveBack } = line(new Places(1));
  const gone = new AbortController();
  void ask("a");
  const waited = ask("b", "b", gone.signal);
  void ask("c");
  gone.abort(new Error("deleted"));
  await expect(waited).rejects.toThrow("deleted");
  expect(positions).toEqual(["b 1", "c 2", "c 1"]);
  giveBack("a");
  await settled();
  expect(got).toEqual(["a", "c"]);
  await expect(ask("d", "d", gone.signal)).rejects.toThrow("deleted");
});
