import type { Migration } from "kysely";
import * as initial from "./001-initial.ts";

/** Every migration by name, in order; listed by hand because a bundle has no folder to read them from. */
export const migrations: Record<string, Migration> = {
  "001-initial": initial,
};
