import { expect, test } from "vitest";
import { repeatEvery } from "./repeat-every.ts";

test("what takes longer than its time is done again when it has ended, and never twice at a time", async () => {
  const began: number[] = [];
  let atOnce = 0;
  let maxAtOnce = 0;
  const end = await repeatEvery(5, async () => {
    began.push(performance.now());
    maxAtOnce = Math.max(maxAtOnce, ++atOnce);
    await new Promise((resolve) => setTimeout(resolve, 40));
    atOnce--;
    if (began.length > 1) throw new Error("once more, all the same");
  });
  try {
    expect(began).toHaveLength(1);
    await expect.poll(() => began.length, { timeout: 20_000 }).toBeGreaterThan(4);
    expect(maxAtOnce).toBe(1);
  } finally {
    end();
  }
  const before = began.length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(began.length).toBe(before);
});
