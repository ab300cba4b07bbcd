import type { Migration } from "kysely";
import * as initial from "./001-initial.ts";
import * as matchAlias from "./002-match-alias.ts";
import * as demoTiming from "./003-demo-timing.ts";
import * as retentionLookups from "./004-retention-lookups.ts";

/** Every migration by name, in order; listed by hand because a bundle has no folder to read them from. */
export const migrations: Record<string, Migration> = {
  "001-initial": initial,
  "002-match-alias": matchAlias,
  "003-demo-timing": demoTiming,
  "004-retention-lookups": retentionLookups,
};
