/** Load: pages under two hundred visitors, alone and while two clips render. See README.md. */
import { build, isBuilt } from "../../scripts/build.mjs";
import { measureLoad } from "./measure-load.ts";
import type { LoadFigures } from "./visitors.ts";

const root = new URL("../../", import.meta.url).pathname;
if (!isBuilt(root)) await build(root);
const given = (name: string, standard: number) =>
  Number(
    new RegExp(`^--${name}=(\\d+)$`).exec(process.argv.find((word) => word.startsWith(`--${name}=`)) ?? "")?.[1] ??
      standard,
  );

const { quiet, rendering, rendered, failures } = await measureLoad({
  visitors: given("visitors", 200),
  thinkMs: given("think", 5000),
  seconds: given("seconds", 120),
  renders: 2,
  clips: 200,
  say: (text) => console.log(text),
});
const figure = (value: number) => value.toFixed(0).padStart(8);
const line = (name: string, { pages, p50, p99, max, errors, ownDelayP99 }: LoadFigures) => {
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  return `  ${name.padEnd(24)}${[pages, p50, p99, max, failed, ownDelayP99].map(figure).join("")}`;
};
console.log(`\n  ${"ms".padEnd(24)}   pages     p50     p99    most  errors   noise`);
console.log(line("visitors alone", quiet));
console.log(line("while two clips render", rendering));
console.log(
  `  p99, rendering ÷ alone   ${(rendering.p99 / quiet.p99).toFixed(2)}   (${rendered} clips rendered meanwhile)`,
);
for (const [what, count] of [...Object.entries(quiet.errors), ...Object.entries(rendering.errors)]) {
  console.log(`  ${count} × ${what}`);
}
for (const failure of failures) console.log(`  a render failed: ${failure}`);
process.exit(0);
