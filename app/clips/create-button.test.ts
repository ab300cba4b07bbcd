import { expect, test } from "vitest";
import { createButton, takesPlace } from "./create-button.ts";

const button = (active: number, inQueue = 0, sending = false) => createButton({ active, inQueue, sending });

test("nothing selected disables the create button", () => {
  expect(button(0)).toEqual({ text: "Create Clip (0 active)", disabled: true });
});

test("one to five selected highlights enable it", () => {
  expect(button(1)).toEqual({ text: "Create Clip (1 active)", disabled: false });
  expect(button(5)).toEqual({ text: "Create Clip (5 active)", disabled: false });
});

test("more than five are too many", () => {
  expect(button(6)).toEqual({ text: "Too many highlights (6/5 max)", disabled: true });
});

test("three clips in the queue are the limit", () => {
  expect(button(2, 2).disabled).toBe(false);
  expect(button(2, 3)).toEqual({ text: "Queue limit reached (3/3)", disabled: true });
  expect(button(6, 4)).toEqual({ text: "Queue limit reached (4/3)", disabled: true });
});

test("what waits or is drawn takes a place, but for what is made by itself", () => {
  expect(
    (["queued", "processing", "completed", "failed"] as const).map((render_status) => takesPlace({ render_status })),
  ).toEqual([true, true, false, false]);
  expect(takesPlace({ render_status: "queued", made_for_you: true })).toBe(false);
});

test("while the request runs it says so", () => {
  expect(button(2, 3, true)).toEqual({ text: "Creating...", disabled: true });
});
