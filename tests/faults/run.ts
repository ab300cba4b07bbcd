/**
 * `npm run faults -- [PART …] [--rounds N] [--seed TEXT]`: breaks and attacks the built product on this machine, loopback only,
 * and prints which promises held. Ends with 1 when one did not.
 */
import { parseArgs } from "node:util";
import { endEverything, runPart } from "./fault-run.ts";
import { type Judgement, judgementTable, reportFaultsTo } from "./judgement.ts";
import { faultParts } from "./parts.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    short: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const names = faultParts.map(({ name }) => name);
const unknown = positionals.find((name) => !names.includes(name));
const rounds = Number(values.rounds);
if (values.help || unknown !== undefined || !Number.isInteger(rounds) || rounds < 1) {
  if (unknown !== undefined) console.error(`There is no part “${unknown}”.\n`);
  console.error("npm run faults -- [PART …] [--rounds N] [--seed TEXT] [--short]\n");
  for (const { name, summary } of faultParts) console.error(`  ${name.padEnd(10)} ${summary}`);
  process.exit(values.help ? 0 : 1);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void endEverything().finally(() => process.exit(1)));
}

const began = performance.now();
const since = () => `${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s`;
console.log(`${rounds} rounds, seed ${values.seed} (run again with --rounds ${rounds} --seed ${values.seed})`);
reportFaultsTo((promise, sentence) => console.log(`${since()}  BROKEN: ${promise}: ${sentence}`));
const judgements: Judgement[] = [];
for (const part of faultParts) {
  if (positionals.length > 0 && !positionals.includes(part.name)) continue;
  console.log(`${since()}  ${part.name}: ${part.summary}`);
  const found = await runPart(part, {
    seed: values.seed,
    rounds,
    isShort: values.short,
    say: (text) => console.log(`${since()}    ${text}`),
  });
  judgements.push(...found);
}
console.log(`\n${judgementTable(judgements)}\n`);
const isBroken = judgements.some(({ broken }) => broken.length > 0);
console.log(`${since()}  ${isBroken ? "A promise is broken." : "Every promise held."} Seed ${values.seed}.`);
process.exit(isBroken ? 1 : 0);
