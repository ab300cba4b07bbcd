import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** Where the sample lies: beside this file in the sources, beside the bundle or below the project's folder when built. */
const places = [
  join(here, "sample"),
  join(here, "matches", "sample"),
  join(process.cwd(), "backend", "matches", "sample"),
  join(here, "..", "backend", "matches", "sample"),
];

/** The demo of the sample match that the product ships, null when this build has none. */
export const sampleMatchPath: string | null =
  places.map((folder) => join(folder, "sample-match.dem.zst")).find((path) => existsSync(path)) ?? null;
