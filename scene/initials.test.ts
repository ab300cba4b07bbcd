import { expect, test } from "vitest";
import { initialsOf, singleInitialsOf } from "./initials.ts";

test.each([
  ["one letter is enough where nobody begins alike", ["Nova", "dune"], [0, 0], ["N", "D"]],
  ["opponents may begin alike: their sides' colours differ", ["Nova", "nix"], [0, 1], ["N", "N"]],
  [
    "team-mates who begin alike get the letter that tells them apart",
    ["MAVEN", "mokka", "zed"],
    [0, 0, 0],
    ["Ma", "Mo", "Z"],
  ],
  ["that letter may come late", ["player one", "player two"], [1, 1], ["Po", "Pt"]],
  ["it is none of a space", ["m rr", "mirr"], [0, 0], ["Mr", "Mi"]],
  ["of three each is told from both others", ["anna", "anni", "anno"], [0, 0, 0], ["Aa", "Ai", "Ao"]],
  ["a cluster is never cut", ["👩‍👩‍👧a", "👩‍👩‍👧b"], [0, 0], ["👩‍👩‍👧a", "👩‍👩‍👧b"]],
  ["namesakes cannot be told apart, and a name may end", ["Al", "Al", "A"], [0, 0, 0], ["Al", "Al", "A"]],
] as const)("%s", (_, names, teams, expected) => {
  expect(initialsOf(names, teams)).toEqual(expected);
});

test.each([
  ["the first letter of whom nobody is like", ["Nova", "dune"], [0, 0], ["N", "D"]],
  ["opponents may have the same", ["Nova", "nix"], [0, 1], ["N", "N"]],
  ["a later one for the second of two who begin alike", ["MAVEN", "mokka", "zed"], [0, 0, 0], ["M", "O", "Z"]],
  ["never one that somebody begins with", ["MAVEN", "mokka", "Oscar"], [0, 0, 0], ["M", "K", "O"]],
  ["nor a space", ["m r", "m s"], [0, 0], ["M", "S"]],
  ["namesakes whose letters run out share one", ["Al", "Al", "Al"], [0, 0, 0], ["A", "L", "A"]],
  ["a cluster is never cut", ["👩‍👩‍👧a", "👩‍👩‍👧b"], [0, 0], ["👩‍👩‍👧", "B"]],
  ["nobody is nameless by it", ["", "A"], [0, 0], ["", "A"]],
] as const)("one letter: %s", (_, names, teams, expected) => {
  expect(singleInitialsOf(names, teams)).toEqual(expected);
});
