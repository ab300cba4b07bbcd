import { expect, test } from "vitest";
import { runPart } from "./fault-run.ts";
import { faultParts } from "./parts.ts";

/** A test that fails names its seed: `npm run faults -- PART --short --seed SEED` is the same run. */
const seed = process.env.FAULTS_SEED ?? String(Date.now() % 1_000_000);

// Each has a product and a folder of its own, and waits more than it computes.
test.concurrent.each(faultParts)(
  "Every promise holds in a short run of the faults “$name”: $summary",
  { timeout: 900_000 },
  async (part) => {
    const judgements = await runPart(part, { seed, rounds: 1, isShort: true, say: () => {} });
    const broken = judgements.flatMap(({ promise, broken: cases }) =>
      cases.map((sentence) => `${promise}: ${sentence}`),
    );
    expect(broken, `seed ${seed}`).toEqual([]);
    for (const { promise, cases, skipped } of judgements) {
      if (skipped === undefined) expect(cases, promise).toBeGreaterThan(0);
      else console.log(`${part.name} skipped: ${promise}: ${skipped}`);
    }
  },
);
