import { expect, test } from "vitest";
import { compilationTooLong, tooFewParts } from "../../../contract/clip-rules.ts";
import {
  addressWith,
  chosenByNow,
  chosenIds,
  inOrderOf,
  lackingFormat,
  movedId,
  planCompilation,
} from "./chosen-clips.ts";

test("an address holds the chosen clips in order, each once, ten at most, and nothing that is no clip", () => {
  expect(chosenIds(new URLSearchParams("clip=7&clip=3&clip=7&clip=x&clip=-1&clip=1.5"))).toEqual([7, 3]);
  const many = new URLSearchParams(Array.from({ length: 12 }, (_, index) => ["clip", String(index + 1)]));
  expect(chosenIds(many)).toHaveLength(10);
  expect(addressWith([7, 3], 0)).toBe("/clips/compile?clip=7&clip=3");
  expect(addressWith([], 5)).toBe("/clips/compile?offset=5");
  expect(addressWith([], 0)).toBe("/clips/compile");
});

test("what is pressed goes on from the address that is on its way, if it is one of the page", () => {
  const loaded = { ids: [7], offset: 5 };
  const coming = (address: string) => {
    const { pathname, search } = new URL(address, "http://local.invalid");
    return chosenByNow({ pathname, search }, loaded);
  };
  const first = coming(addressWith([7, 3], 5));
  expect(first).toEqual({ ids: [7, 3], offset: 5 });
  expect(addressWith([...first.ids, 9], first.offset)).toBe("/clips/compile?clip=7&clip=3&clip=9&offset=5");
  expect(coming(addressWith([], 0))).toEqual({ ids: [], offset: 0 });
  expect(coming("/clips/12?clip=1")).toBe(loaded);
  expect(chosenByNow(undefined, loaded)).toBe(loaded);
});

test("a clip moves a place up or down, and not beyond the ends", () => {
  expect(movedId([1, 2, 3], 2, -1)).toEqual([2, 1, 3]);
  expect(movedId([1, 2, 3], 2, 1)).toEqual([1, 3, 2]);
  expect(movedId([1, 2, 3], 1, -1)).toEqual([1, 2, 3]);
  expect(movedId([1, 2, 3], 3, 1)).toEqual([1, 2, 3]);
  expect(movedId([1, 2, 3], 9, 1)).toEqual([1, 2, 3]);
  expect(movedId([1, 2, 3, 4], 4, -3)).toEqual([4, 1, 2, 3]);
  expect(movedId([1, 2, 3, 4], 1, 2)).toEqual([2, 3, 1, 4]);
});

const choosable = (id: number, ...formats: ("720p" | "1080p" | "vertical")[]) => ({
  ...{ id, name: `Clip ${id}`, map: "Nuke", seconds: 10, thumbnailUrl: null, formats },
});

test("clips stand in the order of the address that is on its way, if it chooses the same ones", () => {
  const chosen = [choosable(1, "720p"), choosable(2, "720p"), choosable(3, "720p")];
  const shown = (search?: string) => inOrderOf(search, chosen).map(({ id }) => id);
  expect(shown("?clip=3&clip=1&clip=2&offset=5")).toEqual([3, 1, 2]);
  expect(shown("?clip=3&clip=1")).toEqual([1, 2, 3]);
  expect(shown("?clip=3&clip=1&clip=4")).toEqual([1, 2, 3]);
  expect(shown("")).toEqual([1, 2, 3]);
  expect(shown()).toEqual([1, 2, 3]);
});

test("of a format that not all clips have, those that lack it are named", () => {
  const chosen = [choosable(1, "720p", "vertical"), choosable(2, "720p")];
  expect(lackingFormat(chosen, "720p")).toEqual([]);
  expect(lackingFormat(chosen, "vertical")).toEqual([chosen[1]]);
  expect(lackingFormat(chosen, "1080p")).toEqual(chosen);
});

test("a compilation is of two clips that share a format, five minutes at most", () => {
  const clip = (seconds: number | null, ...formats: ("720p" | "1080p" | "vertical")[]) => ({ seconds, formats });
  expect(planCompilation([clip(10, "720p")]).problem).toBe(tooFewParts);
  expect(planCompilation([clip(10, "720p"), clip(null, "vertical", "720p")])).toEqual({
    ...{ seconds: 10, formats: ["720p"], problem: null },
  });
  expect(planCompilation([clip(10, "720p"), clip(9, "vertical")])).toMatchObject({
    formats: [],
    problem: expect.stringContaining("(1: 720p; 2: Vertical)"),
  });
  expect(planCompilation([clip(200, "720p"), clip(101, "720p")]).problem).toBe(compilationTooLong);
});
