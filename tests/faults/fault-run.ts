import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Judgement } from "./judgement.ts";
import { Random } from "./random.ts";

/** One part of the harness: attacks the built product in one way and says which promises held. */
export interface FaultPart {
  name: string;
  /** What it does, for `npm run faults -- --help`. */
  summary: string;
  run(run: FaultRun): Promise<Judgement[]>;
}

/** What a part is given. */
export interface FaultRun {
  /** How long it goes on; each part says what it makes of it. */
  rounds: number;
  /** A few cases in seconds, for `npm test`. */
  isShort: boolean;
  random: Random;
  /** A folder of the run's own, removed at its end. */
  folder: string;
  /** A line about how far it is. */
  say(text: string): void;
  /** Registers what has to be ended, latest first, whatever happens: processes, servers, mounts. */
  atEnd(end: () => unknown): void;
}

export interface FaultRunOptions {
  seed: string;
  rounds: number;
  isShort: boolean;
  say(text: string): void;
}

const endings = new Set<() => Promise<void>>();

/** Runs one part and ends whatever it started. A part that cannot go on is a broken promise, with the reason. */
export async function runPart(part: FaultPart, options: FaultRunOptions): Promise<Judgement[]> {
  const folder = mkdtempSync(join(tmpdir(), `clutchcast-faults-${part.name}-`));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const endAll = async () => {
    endings.delete(endAll);
    for (const end of ends.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        options.say(`not ended: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  endings.add(endAll);
  try {
    return await part.run({
      rounds: options.rounds,
      isShort: options.isShort,
      random: new Random(options.seed).fork(part.name),
      folder,
      say: options.say,
      atEnd: (end) => ends.push(end),
    });
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [{ promise: `${part.name}: the part runs to its end`, cases: 1, broken: [reason] }];
  } finally {
    await endAll();
  }
}

/** Ends what all parts have started, for a harness that is interrupted. */
export async function endEverything(): Promise<void> {
  for (const end of [...endings]) await end();
}
