/**
 * Measured from outside: a whole import as on the server, including its parse process. Arguments: the demo file, packed or not, and an
 * empty folder.
 */
import { startParse } from "../../backend/demos/start-parse.ts";

const [path, directory] = process.argv.slice(2);
await startParse({ path: path!, directory: directory!, maxBytes: 2 ** 31 });
