import { type StartParseJob, type StartParseOptions, startParse } from "../demos/start-parse.ts";
import type { Services } from "../services.ts";
import { clippedHighlights } from "./clipped-highlights.ts";
import { isDemoStored, type ParsedDemoFiles, storeDemo } from "./store-demo.ts";

interface ParseOnceOptions
  extends Required<Pick<StartParseOptions, "signal" | "onStage">>,
    Pick<ParsedDemoFiles, "playedAt" | "raw"> {
  /** Waits until this process may parse one more demo. @returns gives the place back */
  takePlace(): Promise<() => void>;
}

/** Demos being parsed in this process, by SHA-256. Across processes two may parse the same one; the first to store it wins. */
const parsing = new Map<string, Promise<void>>();

/** Another import of this process is parsing the same demo. */
class ParsedElsewhere extends Error {
  readonly sha256: string;
  readonly ended: Promise<void>;

  constructor(sha256: string, ended: Promise<void>) {
    super("The demo is being parsed by another import.");
    this.sha256 = sha256;
    this.ended = ended;
  }
}

/**
 * Parses and stores a demo, unless it is stored already or another import is doing that.
 * @returns the demo's SHA-256
 * @throws what `startParse`, `takePlace` and `storeDemo` throw, and the signal's reason
 */
export async function parseDemoOnce(
  services: Services,
  job: StartParseJob,
  { signal, onStage, takePlace, playedAt, raw }: ParseOnceOptions,
): Promise<string> {
  for (;;) {
    let hasEnded = false;
    let release = () => {};
    const isKnown = async (sha256: string) => {
      const known = await isDemoStored(services, sha256);
      if (known) return true;
      const ended = parsing.get(sha256);
      // Ends the parse process of this import while it waits, to free its memory for the other.
      if (ended) throw new ParsedElsewhere(sha256, ended);
      // The parse ended during the query: nobody would release the claim.
      if (hasEnded) return false;
      parsing.set(
        sha256,
        new Promise((resolve) => {
          release = () => {
            parsing.delete(sha256);
            resolve();
          };
        }),
      );
      return false;
    };
    try {
      const alsoShown = (sha256: string) => clippedHighlights(services, sha256);
      const options = { signal, onStage, isKnown, alsoShown, containment: services.containment };
      const parsed = await inPlace(takePlace, () => startParse(job, options));
      if (!parsed.isKnown) {
        signal.throwIfAborted();
        await storeDemo(services, { ...parsed, playedAt, raw });
      }
      return parsed.sha256;
    } catch (error) {
      if (!(error instanceof ParsedElsewhere)) throw error;
      await endedOrAborted(error.ended, signal);
      if (await isDemoStored(services, error.sha256)) return error.sha256;
      // The other import failed, or was stopped: now it is this one's turn.
    } finally {
      hasEnded = true;
      release();
    }
  }
}

async function inPlace<Result>(takePlace: ParseOnceOptions["takePlace"], work: () => Promise<Result>): Promise<Result> {
  const giveBack = await takePlace();
  try {
    return await work();
  } finally {
    giveBack();
  }
}

async function endedOrAborted(ended: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    await Promise.race([ended, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
