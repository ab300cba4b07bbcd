/** Exit codes, as people expect them of a command. */
export const exitCodes = { done: 0, failed: 1, wrongUse: 2 } as const;

/** What was asked for was not done. `message` is a sentence with the way out; printed without a stack. */
export class CliError extends Error {}

/** The command was written in a way that it does not know. */
export class UsageError extends CliError {
  /** Whose help shows the right way. */
  readonly command: string | null;

  constructor(sentence: string, command: string | null = null) {
    super(sentence);
    this.command = command;
  }
}

/** Somebody pressed Ctrl-C, or ended the command in another way. */
export class Stopped extends Error {
  readonly exitCode: number;

  /** @param signalNumber e.g. 2 of SIGINT, which shells tell as 130 */
  constructor(signalNumber: number) {
    super("The command was stopped.");
    this.exitCode = 128 + signalNumber;
  }
}
