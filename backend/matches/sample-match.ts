import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("./sample/sample-match.dem.zst", import.meta.url));

/** The demo of the sample match that the product ships, null when this build has none. The build copies it beside the bundle. */
export const sampleMatchPath: string | null = existsSync(path) ? path : null;
