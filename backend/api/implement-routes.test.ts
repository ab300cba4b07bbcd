import { expect, test } from "vitest";
import { z } from "zod";
import { describeRoute } from "../../contract/api-route.ts";
import { implementRoutes } from "./implement-routes.ts";

const player = z.object({ name: z.string(), age: z.int() });
const players = {
  oldest: describeRoute({
    method: "get",
    path: "/api/oldest/",
    summary: "The oldest",
    tag: "Site",
    access: "public",
    answers: { 200: { description: "The player", schema: player } },
  }),
  picture: describeRoute({
    method: "get",
    path: "/api/picture/",
    summary: "Their picture",
    tag: "Site",
    access: "public",
    answers: { 200: { description: "The picture", contentType: "image/png" } },
  }),
};
const picture = () => new Response("");

/** `npm run typecheck` fails if a line marked below compiles. */
test("a handler that is missing, or answers what its call does not describe, does not compile", () => {
  const made = [
    implementRoutes(players, { oldest: (_c, { reply }) => reply(200, { name: "a", age: 3 }), picture }),
    // @ts-expect-error a handler is missing
    implementRoutes(players, { picture }),
    // @ts-expect-error a field is missing
    implementRoutes(players, { oldest: (_c, { reply }) => reply(200, { name: "a" }), picture }),
    // @ts-expect-error a field that is not described
    implementRoutes(players, { oldest: (_c, { reply }) => reply(200, { name: "a", age: 3, height: 2 }), picture }),
    // @ts-expect-error a field of another type
    implementRoutes(players, { oldest: (_c, { reply }) => reply(200, { name: "a", age: "3" }), picture }),
    // @ts-expect-error a status that is not described
    implementRoutes(players, { oldest: (_c, { reply }) => reply(201, { name: "a", age: 3 }), picture }),
    // @ts-expect-error JSON that nothing describes
    implementRoutes(players, { oldest: () => new Response("{}"), picture }),
  ];
  for (const routes of made) expect(routes).toHaveLength(2);
});
