import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { expect, test, vi } from "vitest";
import { programOf } from "../storage/testing/fork-source.ts";
import { channelDescriptor, MessageLines, messageLine } from "./message-lines.ts";

vi.setConfig({ testTimeout: 60_000 });

function startEchoing() {
  const child = spawn(process.execPath, programOf(new URL("testing/echoing-child.ts", import.meta.url)), {
    stdio: ["ignore", "pipe", "pipe", "overlapped"],
  });
  const channel = child.stdio[channelDescriptor] as Duplex;
  const words = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      words[name] += text;
    });
  }
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, ...words }));
  return { channel, ended };
}

const silentEnd = { code: 0, signal: null, stdout: "the parent is gone", stderr: "" };

test("what a child is told before it is ready is heard, in order, and it ends with its parent", async () => {
  const { channel, ended } = startEchoing();
  const told = Array.from({ length: 100 }, (_, number) => ({ times: 1, number, text: "🔥".repeat(number) }));
  for (const message of told) channel.write(messageLine(message));
  const lines = new MessageLines();
  const heard: object[] = [];
  for await (const piece of channel) {
    heard.push(...lines.take(piece as Buffer));
    if (heard.length === told.length) break;
  }
  // Leaving the loop closes the channel.
  expect(heard).toEqual(told);
  expect(await ended).toEqual(silentEnd);
});

test("a child that is telling when its parent goes ends without a word of complaint", async () => {
  const { channel, ended } = startEchoing();
  channel.write(messageLine({ times: 1000, text: "x".repeat(10_000) }));
  await once(channel, "readable");
  channel.destroy();
  expect(await ended).toEqual(silentEnd);
});
