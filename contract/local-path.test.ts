import { expect, test } from "vitest";
import { localPath, withQuery } from "./local-path.ts";

test.each(["/", "/matches", "/clips/12?x=1#top", "/users/76561199999900000/clips"])(
  "%s is a page of this site",
  (path) => {
    expect(localPath(path)).toBe(path);
  },
);

test.each([
  undefined,
  "",
  "matches",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/.//evil.example",
  "/x/..//evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "/a\nb",
  "/a\u0000",
  "/ä",
  "/api/auth/logout/",
  "/x/../api/auth/logout/",
  "/local-steam/openid/login",
  `/${"a".repeat(2000)}`,
])("%j is none", (path) => {
  expect(localPath(path)).toBe("/");
});

test("Parameters are added to a path's own", () => {
  expect(withQuery("/clips/1?tab=a&login=old#x", { login: "success" })).toBe("/clips/1?tab=a&login=success#x");
});
