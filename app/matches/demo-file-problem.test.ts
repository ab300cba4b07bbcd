import { expect, test } from "vitest";
import { demoFileProblem } from "./demo-file-problem.ts";

test("a file that cannot be a demo is told so before it is sent", () => {
  for (const name of ["a.dem", "A.DEM", "a.dem.bz2", "a.dem.gz", "a.dem.zst"]) {
    expect(demoFileProblem({ name, size: 1 })).toBeNull();
  }
  expect(demoFileProblem({ name: "a.mp4", size: 1 })).toMatch(/not a demo file/);
  expect(demoFileProblem({ name: "a.dem", size: 0 })).toBe("This file is empty.");
});
