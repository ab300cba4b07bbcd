import { expect, test } from "vitest";
import { outcomeAddress, uploadedOf, uploadProblemsOf } from "./upload-outcome.ts";

const read = (address: string) => {
  const query = new URL(address, "http://localhost").searchParams;
  return { uploaded: uploadedOf(query), problems: uploadProblemsOf(query) };
};

test("an address says how many files were taken, and names each that was not, by its reason", () => {
  expect(outcomeAddress({ taken: 1, refused: [] })).toBe("/matches?uploaded=1");
  const refused = ["b.dem", "c.dem"].map((name) => ({ name, sentence: "Enough." }));
  const address = outcomeAddress({ taken: 2, refused: [...refused, { name: "d.txt", sentence: "No demo." }] });
  expect(address).toMatch(/#import-file$/);
  expect(read(address)).toEqual({
    uploaded: 2,
    problems: ["b.dem, c.dem: Enough.", "d.txt: No demo.", "Choose what is missing, and upload it again."],
  });
});

test("a form of one file names nothing, and the longest names leave an address that servers take", () => {
  expect(read(outcomeAddress({ taken: 0, refused: [{ name: "b.dem", sentence: "Enough." }] }))).toEqual({
    uploaded: 0,
    problems: ["Enough."],
  });
  const refused = Array.from({ length: 100 }, () => ({ name: `${"試".repeat(300)}.dem`, sentence: "x".repeat(500) }));
  const address = outcomeAddress({ taken: 0, refused });
  expect(address.length).toBeLessThan(14_000);
  expect(read(address).problems[0]).toContain(" and 80 more: xxx");
});

test("an address that anybody wrote says no more than a line each, and counts only what is a number", () => {
  expect(read("/matches?uploaded=999999&uploadProblem=&uploadProblem=a%0Ab")).toEqual({
    uploaded: 1,
    problems: [expect.stringMatching(/^a ?b$/)],
  });
});
