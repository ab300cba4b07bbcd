// The channel of a child that runs without our build: what it is given to say goes out as it is.
import { Socket } from "node:net";
import { createInterface } from "node:readline";

const channel = new Socket({ fd: 3, readable: true, writable: true });
channel.on("error", () => {});
channel.once("close", () => process.exit());
const waiting = [];
const unheard = [];
createInterface({ input: channel }).on("line", (line) => {
  const message = JSON.parse(line);
  const listener = waiting.shift();
  if (listener) listener(message);
  else unheard.push(message);
});

/** @param {string | Uint8Array} bytes */
export function write(bytes, done = () => {}) {
  channel.write(bytes, done);
}

export function send(message, done) {
  write(`${JSON.stringify(message)}\n`, done);
}

/** Hears one message. */
export function hear(listener) {
  if (unheard.length > 0) listener(unheard.shift());
  else waiting.push(listener);
}
