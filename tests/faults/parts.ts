import type { FaultPart } from "./fault-run.ts";
import { clock } from "./parts/clock.ts";
import { fairness } from "./parts/fairness.ts";
import { hosts } from "./parts/hosts.ts";
import { kills } from "./parts/kills.ts";
import { load } from "./parts/load.ts";
import { matrix } from "./parts/matrix.ts";
import { memory } from "./parts/memory.ts";
import { signIn } from "./parts/sign-in.ts";

/** All parts, in the order in which they run. */
export const faultParts: readonly FaultPart[] = [matrix, signIn, kills, hosts, memory, fairness, clock, load];
