/** `npm run bench [-- NAME …]`: runs bench/NAME/bench.ts for every name given, or all of them. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const folder = new URL("./", import.meta.url).pathname;
const known = readdirSync(folder).filter((name) => existsSync(`${folder}${name}/bench.ts`));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length) {
  console.error(`There is no bench “${unknown[0]}”. There are: ${known.join(", ")}.`);
  process.exit(1);
}
for (const name of asked.length ? asked : known) {
  console.log(`\n# ${name}\n`);
  const run = spawnSync(process.execPath, ["--import", "tsx", `${folder}${name}/bench.ts`], { stdio: "inherit" });
  if (run.status !== 0) process.exit(run.status ?? 1);
}
