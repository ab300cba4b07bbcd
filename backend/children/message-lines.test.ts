import { expect, test } from "vitest";
import { killFlags } from "../../contract/kill-flags.ts";
import { demoLimits } from "../../contract/limits.ts";
import { textLimits } from "../../contract/text-limits.ts";
import type { RecordedPlayer, RecordedRound, RecordedTeam } from "../../replay/match-record.ts";
import type { MessageFromParse, ParseFinding } from "../demos/parse-job.ts";
import type { Highlight, HighlightMoment } from "../highlights/highlight.ts";
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

test("the most that may be found in a demo fits into a message", () => {
  // The character that takes the most bytes in JSON.
  const text = (characters: number) => "\ud800".repeat(characters);
  const list = <Item>(length: number, item: Item) => Array.from({ length }, () => item);
  const number = 2 ** 30;
  const everybody = list(demoLimits.players, demoLimits.players);
  const moment: HighlightMoment = {
    ...{ tick: number, kind: "defuse", weapon: text(textLimits.weapon), flags: [...killFlags], victim: number },
  };
  const highlight = (count: number): Highlight => ({
    ...{ type: "headshot_streak", round: number, player: number, moments: list(count, moment) },
    ...{ startTick: number, endTick: number, score: Math.PI, reason: text(textLimits.reason) },
    victims: list(count, number),
  });
  const round: RecordedRound = {
    ...{ number, startTick: number, freezeEndTick: number, endTick: number, officialEndTick: number },
    ...{ finished: false, winner: null, reason: "hostages_not_rescued", sides: ["CT", "CT"] },
    ...{ scoreBefore: [number, number], overtime: number, aliveAtFreezeEnd: [everybody, []] },
    ...{ unclearLives: true, respawns: true },
  };
  const player: RecordedPlayer = {
    ...{ steamId: "7".repeat(17), name: text(textLimits.playerName), team: null, isBot: false, hasOtherName: true },
  };
  const team: RecordedTeam = { name: text(textLimits.clanName), score: number, firstSide: "CT" };
  const finding: ParseFinding = {
    record: {
      ...{
        map: text(textLimits.mapName),
        gameMode: text(textLimits.gameMode),
        serverName: text(textLimits.serverName),
      },
      ...{ players: list(demoLimits.players, player), teams: [team, team], tickRate: Math.PI },
      rounds: list(demoLimits.rounds, round),
    },
    highlights: list(demoLimits.highlights, highlight(demoLimits.moments / demoLimits.highlights)),
    ...{ leftOut: number, isOldReading: false },
  };
  const { length } = Buffer.from(messageLine({ type: "done", finding } satisfies MessageFromParse));
  expect(length).toBeLessThan(maxMessageBytes);
});
