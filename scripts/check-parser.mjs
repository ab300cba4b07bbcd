/** Fails with a sentence if the demo parser has no binary for this machine: for builds that only run npm's installation. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parserFault } from "./install.mjs";

const fault = parserFault(dirname(dirname(fileURLToPath(import.meta.url))));
if (fault) {
  console.error(fault);
  process.exit(1);
}
