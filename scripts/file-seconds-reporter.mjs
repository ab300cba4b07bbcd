import { writeFileSync } from "node:fs";

/** A Vitest reporter of the time that each file took, including its set-up and clean-up, which Vitest's own JSON leaves out. */
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
