import { expect, test } from "vitest";
import { typedInto } from "./typed-webhook.ts";

const typed = { url: "https://example.org/hook", events: ["clip.failed"] };

test("what was typed comes back to the form that was refused, and to no other", () => {
  const refused = { intent: "add", ok: false, sentence: "No.", typed };
  expect(typedInto(refused, "add")).toBe(typed);
  expect(typedInto(refused, "discord")).toBeUndefined();
  expect(typedInto({ ...refused, ok: true }, "add")).toBeUndefined();
  expect(typedInto(undefined, "add")).toBeUndefined();
});
