import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const preload = fileURLToPath(new URL("./clock-offset.mjs", import.meta.url));

/** A clock for one product, which the harness sets. */
export class SettableClock {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, "clock");
    this.set(0);
  }

  /** What the product is started with. */
  get environment(): Record<string, string> {
    const options = [process.env.NODE_OPTIONS, `--import=${preload}`].filter(Boolean).join(" ");
    return { NODE_OPTIONS: options, FAULTS_CLOCK: this.#file };
  }

  /** Milliseconds to the machine's clock; negative is back. The product sees it a tenth of a second later. */
  set(offsetMs: number): void {
    writeFileSync(this.#file, String(offsetMs));
  }
}
