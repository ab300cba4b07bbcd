import type { FaultPart } from "./fault-run.ts";
import { clock } from "./parts/clock.ts";
import { demos } from "./parts/demos.ts";
import { disk } from "./parts/disk.ts";
import { fairness } from "./parts/fairness.ts";
import { hosts } from "./parts/hosts.ts";
import { kills } from "./parts/kills.ts";
import { load } from "./parts/load.ts";
import { matrix } from "./parts/matrix.ts";
import { memory } from "./parts/memory.ts";
import { outages } from "./parts/outages.ts";
import { power } from "./parts/power.ts";
import { signIn } from "./parts/sign-in.ts";

/** All parts, in the order in which they run. */
export const faultParts: readonly FaultPart[] = [
  matrix,
  signIn,
  hosts,
  kills,
  power,
  disk,
  demos,
  memory,
  fairness,
  ...outages,
  clock,
  load,
];
