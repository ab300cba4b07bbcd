/**
 * Measured from outside: only demoparser2's own calls. Argument: a JSON file of calls, `[[function name, arguments], …]`. Their results are
 * discarded.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Query } from "./record-queries.ts";

const parser = createRequire(import.meta.url)("@laihoe/demoparser2") as Record<string, (...args: unknown[]) => unknown>;
const queries = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Query[];
for (const [name, args] of queries) parser[name]!(...args);
