import { expect, test } from "vitest";
import { ApiFailure } from "./api-failure.ts";

const sentence = (body: unknown) => new ApiFailure(400, body, "").sentence;

test("the detail is what a person reads, then the error, then the first field's sentence", () => {
  expect(sentence({ error: "queue_limit", detail: "Queue limit reached." })).toBe("Queue limit reached.");
  expect(sentence({ error: "Not yours" })).toBe("Not yours");
  expect(sentence({ demo_url: ["Enter a valid address."] })).toBe("Enter a valid address.");
});

test("a body without a sentence gives none", () => {
  for (const body of [null, "text", {}, { detail: "" }, { count: 3 }]) expect(sentence(body)).toBeNull();
});
