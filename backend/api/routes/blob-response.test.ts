import { expect, test } from "vitest";
import { contentDisposition } from "./blob-response.ts";

test.each([
  ["Ace -über- - 1-0.mp4", `filename="Ace -uber- - 1-0.mp4"; filename*=UTF-8''Ace%20-%C3%BCber-%20-%201-0.mp4`],
  ["a'b(1)*.mp4", `filename="a'b(1)*.mp4"`],
  ["poster.jpg", "filename=poster.jpg"],
  // Programs that take the plain name for an address would decode it.
  ["100%25.mp4", "filename=10025.mp4; filename*=UTF-8''100%2525.mp4"],
  ['say "hi"; x=1.mp4', `filename="say hi; x=1.mp4"; filename*=UTF-8''say%20%22hi%22%3B%20x%3D1.mp4`],
  ["a\r\nSet-Cookie: b.mp4", `filename="aSet-Cookie: b.mp4"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b.mp4`],
  ["エース.mp4", "filename=.mp4; filename*=UTF-8''%E3%82%A8%E3%83%BC%E3%82%B9.mp4"],
])("the name of a file reaches every browser: %s", (fileName, written) => {
  expect(contentDisposition("attachment", fileName)).toBe(`attachment; ${written}`);
  expect(() => new Headers({ "content-disposition": contentDisposition("inline", fileName) })).not.toThrow();
});
