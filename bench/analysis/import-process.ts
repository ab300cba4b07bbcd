/**
 * Measured from outside: a whole import as the server does it, with the parse process it starts. Arguments: the demo as it
 * came, packed or not, and an empty folder.
 */
import { startParse } from "../../backend/demos/start-parse.ts";

const [path, directory] = process.argv.slice(2);
await startParse({ path: path!, directory: directory!, maxBytes: 2 ** 31 });
