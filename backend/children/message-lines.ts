/**
 * The descriptor of a child's pipe to its parent. Not Node's own channel (`"ipc"`): a line that is not JSON makes it throw where nothing
 * can catch it, an endless line fills the memory, and some messages are commands to Node itself.
 */
export const channelDescriptor = 3;

/**
 * Maximum of one message in bytes, twice what is needed. The largest contains the findings of a demo: 28 KB for a match with 28 rounds, 3.5
 * MB with the maximum of everything that `demoLimits` and `textLimits` allow.
 */
export const maxMessageBytes = 8 * 1024 ** 2;
/**
 * Maximum of messages from one side, so that a compromised process does not keep its listener busy. For comparison: the longest clip has
 * 72,000 frames, and no process reports more often than once a frame.
 */
const maxMessages = 250_000;
export const maxBytesInAll = 4 * maxMessageBytes;

const lineEnd = 0x0a;
const saidTooMuch = "it wrote more than all its work needs";

/** A process wrote something that is not a message, or not one of its own. The text is the end of a sentence. */
export class UnfitMessageError extends Error {}

/** Messages between a child and its parent: JSON objects, one per line. */
export class MessageLines {
  #line: Buffer[] = [];
  #lineBytes = 0;
  #bytes = 0;
  #messages = 0;

  /**
   * @param piece of the other side's output, cut anywhere
   * @returns the messages that it completes, one at a time
   * @throws UnfitMessageError after the messages before it
   */
  *take(piece: Buffer): Generator<object, void> {
    this.#bytes += piece.length;
    if (this.#bytes > maxBytesInAll) throw new UnfitMessageError(saidTooMuch);
    let start = 0;
    for (let end = piece.indexOf(lineEnd); end !== -1; end = piece.indexOf(lineEnd, start)) {
      this.#hold(piece.subarray(start, end));
      start = end + 1;
      yield this.#message();
    }
    this.#hold(piece.subarray(start));
  }

  #hold(part: Buffer): void {
    this.#lineBytes += part.length;
    if (this.#lineBytes > maxMessageBytes) throw new UnfitMessageError("it wrote a line without an end");
    this.#line.push(part);
  }

  #message(): object {
    this.#messages++;
    if (this.#messages > maxMessages) throw new UnfitMessageError(saidTooMuch);
    const text = Buffer.concat(this.#line).toString("utf8");
    this.#line = [];
    this.#lineBytes = 0;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      throw new UnfitMessageError("it wrote a line that is no JSON");
    }
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      throw new UnfitMessageError("it wrote a line that is no message");
    }
    return message;
  }
}

export function messageLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}
