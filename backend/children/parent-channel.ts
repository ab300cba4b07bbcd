/** How a child process of ours talks with the process that started it (`start-child.ts`). */
import { Socket } from "node:net";
import { channelDescriptor, MessageLines, messageLine } from "./message-lines.ts";

let opened: Socket | null = null;
const unheard: object[] = [];
const waiting: ((message: object) => void)[] = [];

/** Opened by whoever needs it first. The process lives on as long as it is open. */
function channel(): Socket {
  if (opened) return opened;
  opened = new Socket({ fd: channelDescriptor, readable: true, writable: true });
  const lines = new MessageLines();
  opened.on("data", (piece) => {
    for (const message of lines.take(piece)) {
      const listener = waiting.shift();
      if (listener) listener(message);
      else unheard.push(message);
    }
  });
  // That the parent is gone is heard of by the channel's end.
  opened.on("error", () => {});
  return opened;
}

/**
 * Sends a message to the process that started this one.
 * @returns resolves when it has left, which work that keeps the thread busy would hold up; at once when nobody listens any more
 */
export function tellParent(message: object): Promise<void> {
  return new Promise((resolve) => {
    channel().write(messageLine(message), () => resolve());
  });
}

/** The next message of the parent that nobody has heard yet; never when it is gone. */
export function nextFromParent<Message extends object>(): Promise<Message> {
  channel();
  const message = unheard.shift();
  if (message) return Promise.resolve(message as Message);
  return new Promise((resolve) => waiting.push((heard) => resolve(heard as Message)));
}

/** @param listener called when the process that started this one is gone, and with it whoever waited for the result */
export function onParentGone(listener: () => void): void {
  channel().once("close", listener);
}
