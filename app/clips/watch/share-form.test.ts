import { expect, test } from "vitest";
import { sharedAddress } from "../../shell/clip-link.ts";
import { embedCode } from "./share-form.tsx";

const clip = "https://clips.example/clips/12";

test("a shared address names the version of the video and the start, where there are any", () => {
  expect(sharedAddress(clip, null, 0)).toBe(clip);
  expect(sharedAddress(clip, "3f2a", 0)).toBe(`${clip}?v=3f2a`);
  expect(sharedAddress(clip, "3f2a", 7.5)).toBe(`${clip}?v=3f2a&t=7.5`);
});

test("the embed code has the size and the format of what is shown, and its start", () => {
  expect(embedCode(clip, 0, { width: 1280, height: 720 })).toBe(
    `<iframe src="${clip}/embed" width="1280" height="720" frameborder="0" allow="fullscreen" allowfullscreen></iframe>`,
  );
  expect(embedCode(clip, 90, { width: 1080, height: 1920 })).toContain(`src="${clip}/embed?t=90" width="1080"`);
  expect(embedCode(clip, 0, { width: 1080, height: 1920 }, "vertical")).toContain(
    `src="${clip}/embed?format=vertical"`,
  );
  expect(embedCode(clip, 90, { width: 1080, height: 1920 }, "vertical")).toContain('/embed?t=90&format=vertical"');
});
