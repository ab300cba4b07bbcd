import type { FaultPart } from "./fault-run.ts";
import { kills } from "./parts/kills.ts";
import { matrix } from "./parts/matrix.ts";
import { signIn } from "./parts/sign-in.ts";

/** All parts, in the order in which they run. */
export const faultParts: readonly FaultPart[] = [matrix, signIn, kills];
