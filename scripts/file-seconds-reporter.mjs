import { writeFileSync } from "node:fs";

/** A reporter of Vitest's: how long each file took, what stands before and after its tests included. Its own JSON leaves that out. */
export default class FileSecondsReporter {
  /** @type {Record<string, number>} by path */
  #seconds = {};

  onTestModuleEnd(file) {
    const { collectDuration, duration, setupDuration } = file.diagnostic();
    this.#seconds[file.moduleId] = (collectDuration + setupDuration + duration) / 1000;
  }

  onTestRunEnd() {
    if (process.env.FILE_SECONDS) writeFileSync(process.env.FILE_SECONDS, JSON.stringify(this.#seconds));
  }
}
