/**
 * Records the demoparser2 calls of an analysis. Arguments: the demo, the replay track, the JSON file of calls. If the analysis reads a
 * temporary file instead of the demo, a copy is kept beside the calls.
 */
import { copyFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

export type Query = [name: string, args: unknown[]];

const [demoPath, trackPath, queriesPath] = process.argv.slice(2);
const queries: Query[] = [];
// The analysis is imported after this, so that its imports by name get these functions.
const parser = createRequire(import.meta.url)("@laihoe/demoparser2") as Record<string, (...args: unknown[]) => unknown>;
for (const [name, call] of Object.entries(parser)) {
  if (typeof call !== "function" || !/^(parse|list)/.test(name)) continue;
  parser[name] = (...args) => {
    const [path, ...rest] = args;
    const kept = path === demoPath ? path : `${queriesPath}.${queries.length}.dem`;
    if (kept !== path) copyFileSync(String(path), String(kept));
    queries.push([name, [kept, ...rest]]);
    return call(...args);
  };
}
const { analyse } = await import("./analyse.ts");
// In one thread: another would have its own parser, whose calls are not recorded.
await analyse(demoPath!, trackPath!, 1);
writeFileSync(queriesPath!, JSON.stringify(queries));
