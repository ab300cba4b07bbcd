import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";

let server: RunningApi;

beforeAll(async () => {
  server = await startApi();
});
afterAll(() => server.close());

test("A player signs in through the local provider and out again", async () => {
  const player = new ApiVisitor(server.url);
  expect(await player.call("GET", "/api/auth/status/")).toEqual({ authenticated: false, user: null });
  await player.signIn("76561199999900000", "outsider <b>one</b>");
  expect(await player.call("GET", "/api/auth/status/")).toEqual({
    authenticated: true,
    user: {
      steam_id: "76561199999900000",
      steam_name: "outsider <b>one</b>",
      avatar_url: "/local-steam/avatars/76561199999900000.svg",
    },
  });
  expect((await player.request("GET", "/local-steam/avatars/76561199999900000.svg")).headers.get("content-type")).toBe(
    "image/svg+xml",
  );
  await player.call("POST", "/api/auth/logout/");
  expect(await player.call("GET", "/api/auth/status/")).toEqual({ authenticated: false, user: null });
  expect([...player.cookies.keys()]).toEqual([]);
});
