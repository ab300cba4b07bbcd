/** Ends with a sentence where the demo parser has no program for this machine: for builds that install by npm alone. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parserFault } from "./install.mjs";

const fault = parserFault(dirname(dirname(fileURLToPath(import.meta.url))));
if (fault) {
  console.error(fault);
  process.exit(1);
}
