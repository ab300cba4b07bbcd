import { expect, test } from "vitest";
import { z } from "zod";
import { addressOf, describeRoute, type JsonAnswer, type RouteInput } from "./api-route.ts";

const rename = describeRoute({
  method: "post",
  path: "/api/teams/:team/players/:id/",
  summary: "Rename a player",
  tag: "Accounts",
  access: "signed-in",
  parameters: z.object({ team: z.string(), id: z.string().transform(Number) }),
  query: z.object({ limit: z.coerce.number().default(3) }),
  body: z.object({ name: z.string(), note: z.string().default("") }),
  answers: {
    200: { description: "The player", schema: z.object({ name: z.string(), age: z.int() }) },
    204: { description: "Nothing changed" },
  },
});

test("an address holds the parameters, encoded, and the query that is given", () => {
  expect(addressOf(rename, { team: "a/b ?", id: 7 })).toBe("/api/teams/a%2Fb%20%3F/players/7/");
  expect(addressOf(rename, { team: "a", id: "7" }, { limit: 2, offset: undefined })).toBe(
    "/api/teams/a/players/7/?limit=2",
  );
  expect(addressOf({ path: "/healthz" })).toBe("/healthz");
});

/** These compile, and what is marked in them does not: `npm run typecheck` fails when the marks are wrong. */
test("a caller gives what the call takes, and reads what it answers", () => {
  const input: RouteInput<typeof rename> = { parameters: { team: "a", id: 7 }, body: { name: "x" } };
  const answer: JsonAnswer<typeof rename> = { name: "x", age: 3 };
  expect([input, answer]).toHaveLength(2);

  // @ts-expect-error a parameter of another name
  const misnamed: RouteInput<typeof rename> = { parameters: { team: "a", player: 7 }, body: { name: "x" } };
  // @ts-expect-error no parameters
  const unnamed: RouteInput<typeof rename> = { body: { name: "x" } };
  // @ts-expect-error a query that the call does not have
  const asked: RouteInput<typeof rename> = { ...input, query: { page: 2 } };
  // @ts-expect-error a field of another type
  const numbered: RouteInput<typeof rename> = { ...input, body: { name: 3 } };
  // @ts-expect-error a field that the answer does not have
  expect(answer.nickname).toBeUndefined();
  expect([misnamed, unnamed, asked, numbered]).toHaveLength(4);
});
