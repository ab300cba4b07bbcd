/**
 * Where a child finds the pipe to its parent. Not Node's own channel (`"ipc"`): a line that is no JSON makes that throw where nobody
 * can catch it, a line without an end fills the memory, and some messages are orders to Node itself.
 */
export const channelDescriptor = 3;

/**
 * Of one message in bytes, twice what is needed. The largest is what was found in a demo: 28 KB of a match with 28 rounds, 3.5 MB if
 * it has the most of everything that `demoLimits` and `textLimits` allow.
 */
export const maxMessageBytes = 8 * 1024 ** 2;
/**
 * Of all that one side says; a process that has been taken over keeps whoever listens busy no longer. For measure: the longest clip
 * has 72,000 frames, and no process tells more often than once a frame.
 */
const maxMessages = 250_000;
export const maxBytesInAll = 4 * maxMessageBytes;

const lineEnd = 0x0a;
const saidTooMuch = "it wrote more than all its work needs";

/** What a process wrote is no message, or none that it has to say. Tells what it did, as the end of a sentence. */
export class UnfitMessageError extends Error {}

/** The messages between a child and its parent: objects, each as JSON in a line of its own. */
export class MessageLines {
  #line: Buffer[] = [];
  #lineBytes = 0;
  #bytes = 0;
  #messages = 0;

  /**
   * @param piece of what the other side wrote, wherever the pipe cut it
   * @returns gives the messages that it completes, one at a time
   * @throws UnfitMessageError after those before it were given
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
