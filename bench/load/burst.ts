/** How long everybody else waits while one network sends a minute's requests at once. See README.md. */
import "../pages/production.ts";
import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, isBuilt } from "../../scripts/build.mjs";
import type { Burst, BurstFigures } from "./burst-visitor.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
if (!isBuilt(root)) await build(root);
const { startSeededProduct } = await import("../pages/crowded-product.ts");

const requests = 590;
const product = await startSeededProduct({ clips: 200 });
const port = Number(new URL(product.url).port);
const each = (path: (index: number) => string) => Array.from({ length: requests }, (_, index) => path(index));
const bursts: [name: string, Omit<Burst, "port">][] = [
  ["nobody", { paths: [], cookie: "" }],
  ["a clip, fields nobody reads", { paths: each((index) => `/clips/${product.clipId}?x=${index}`), cookie: "" }],
  ["a clip, fields that are read", { paths: each((index) => `/clips/${product.clipId}?player=${index}`), cookie: "" }],
  ["one's own match", { paths: each(() => `/matches/${product.matchId}`), cookie: product.cookie }],
  ["a match's data", { paths: each(() => `/api/matches/${product.matchId}/`), cookie: product.cookie }],
];

async function run(burst: Omit<Burst, "port">): Promise<BurstFigures & { heldMiB: number }> {
  // The request limit is per minute.
  if (burst.paths.length > 0) await pause(61_000 - (Date.now() % 60_000));
  let held = 0;
  const watching = setInterval(() => {
    held = Math.max(held, process.memoryUsage.rss());
  }, 10);
  const program = fileURLToPath(new URL("./burst-visitor.ts", import.meta.url));
  const words = ["--import", "tsx", program, JSON.stringify({ port, ...burst })];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  clearInterval(watching);
  return { ...(JSON.parse(stdout) as BurstFigures), heldMiB: held / 2 ** 20 };
}

await run({ paths: [], cookie: "" });
const columns = (values: number[]) => values.map((value) => value.toFixed(0).padStart(9)).join("");
console.log(`\n  ${"who sends 590 at once".padEnd(32)} took ms healthz ms  Home ms      MiB  answers`);
for (const [name, burst] of bursts) {
  const { tookMs, healthMs, otherMs, heldMiB, statuses } = await run(burst);
  console.log(`  ${name.padEnd(30)}${columns([tookMs, healthMs, otherMs, heldMiB])}  ${JSON.stringify(statuses)}`);
}
await product.close();
process.exit(0);
