/** How our child processes talk with the process that started them (`start-child.ts`). */
import { Socket } from "node:net";
import { channelDescriptor, MessageLines, messageLine } from "./message-lines.ts";

let opened: Socket | null = null;
const unheard: object[] = [];
const waiting: ((message: object) => void)[] = [];

/** Opened on first use. Keeps the process alive while it is open. */
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
  // The end of the channel reports that the parent is gone.
  opened.on("error", () => {});
  return opened;
}

/**
 * Sends a message to the process that started this one.
 * @returns resolves when it was written, which needs a free event loop; at once when the parent is gone
 */
export function sendToParent(message: object): Promise<void> {
  return new Promise((resolve) => {
    channel().write(messageLine(message), () => resolve());
  });
}

/** The next unread message of the parent; pending for ever when it is gone. */
export function nextFromParent<Message extends object>(): Promise<Message> {
  channel();
  const message = unheard.shift();
  if (message) return Promise.resolve(message as Message);
  return new Promise((resolve) => waiting.push((heard) => resolve(heard as Message)));
}

/** @param listener called when the process that started this one is gone, and nobody waits for the result */
export function onParentGone(listener: () => void): void {
  channel().once("close", listener);
}
