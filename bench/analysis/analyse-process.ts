/** Measured from outside: the whole analysis of a demo. Arguments: the demo and the path of the replay track. */
import { analyse } from "./analyse.ts";

const [demoPath, trackPath] = process.argv.slice(2);
await analyse(demoPath!, trackPath!);
