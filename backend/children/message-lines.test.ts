import { expect, test } from "vitest";
import { MessageLines, maxBytesInAll, maxMessageBytes, messageLine, UnfitMessageError } from "./message-lines.ts";

function heard(pieces: Iterable<Buffer>): object[] {
  const lines = new MessageLines();
  return [...pieces].flatMap((piece) => [...lines.take(piece)]);
}

test("messages are the same wherever the pipe cuts them", () => {
  const messages = [{ text: "Łukasz 莫言 🔥\n" }, {}, { lone: "\ud800", list: [null, 1.5] }];
  const bytes = Buffer.from(messages.map(messageLine).join(""));
  for (const length of [1, 2, 3, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) =>
      bytes.subarray(i * length, (i + 1) * length),
    );
    expect(heard(pieces)).toEqual(messages);
  }
});

test("what came before a line that is no message is given first", () => {
  const given: object[] = [];
  expect(() => {
    for (const message of new MessageLines().take(Buffer.from('{"a":1}\ngarbage\n{"b":2}\n'))) given.push(message);
  }).toThrow(UnfitMessageError);
  expect(given).toEqual([{ a: 1 }]);
});

test.each(["", "garbage", "null", "7", '"text"', "[{}]", '{"cut":'])("“%s” is no message", (line) => {
  expect(() => heard([Buffer.from(`${line}\n`)])).toThrow(UnfitMessageError);
});

test("the longest message is taken, and a longer line is refused before its end comes", () => {
  const longest = { text: "x".repeat(maxMessageBytes - '{"text":""}'.length) };
  expect(heard([Buffer.from(messageLine(longest))])).toEqual([longest]);
  const piece = Buffer.alloc(2 ** 16, "x");
  let taken = 0;
  const lines = new MessageLines();
  expect(() => {
    for (; taken < 2 * maxMessageBytes; taken += piece.length) for (const _ of lines.take(piece));
  }).toThrow("a line without an end");
  expect(taken).toBeLessThanOrEqual(maxMessageBytes);
});

test("messages are taken up to a number, and up to a size together", () => {
  const short = Buffer.from("{}\n".repeat(10_000));
  expect(() => heard(Array.from({ length: 26 }, () => short))).toThrow("more than all its work needs");
  const long = Buffer.from(messageLine({ text: "x".repeat(2 ** 20) }));
  const fitting = Math.floor(maxBytesInAll / long.length);
  expect(heard(Array.from({ length: fitting }, () => long))).toHaveLength(fitting);
  expect(() => heard(Array.from({ length: fitting + 1 }, () => long))).toThrow("more than all its work needs");
});
