import { expect, test } from "vitest";
import { cardKey, inKnownOrder } from "./kept-order.ts";

const match = (match_id: string, recent_match_id: string | null = null) => ({ match_id, recent_match_id });
const idsOf = (matches: { match_id: string }[]) => matches.map(({ match_id }) => match_id);

test("a recent match that is imported keeps its place among the cards, and a new one comes first", () => {
  const before = [match("a"), match("b"), match("recent_x", "x"), match("recent_y", "y")];
  const known = before.map(cardKey);
  // As the server lists them: the import of y is the newest match.
  const after = [match("imported", "y"), match("a"), match("b"), match("recent_x", "x")];
  expect(idsOf(inKnownOrder(after, known))).toEqual(["a", "b", "recent_x", "imported"]);
  expect(idsOf(inKnownOrder([match("new"), ...after], known))).toEqual(["new", "a", "b", "recent_x", "imported"]);
});

test("without cards before, and after one is gone, the order is the server's", () => {
  expect(idsOf(inKnownOrder([match("b"), match("a")], []))).toEqual(["b", "a"]);
  expect(idsOf(inKnownOrder([match("b")], ["a", "b"]))).toEqual(["b"]);
});
