/** Measured from outside: the whole analysis of a demo. Arguments: the demo, where the replay track goes. */
import { analyse } from "./analyse.ts";

const [demoPath, trackPath] = process.argv.slice(2);
await analyse(demoPath!, trackPath!);
