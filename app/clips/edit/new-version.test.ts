import { expect, test } from "vitest";
import { newVersionOf } from "./new-version.ts";

const settings = {
  xray: false,
  hud: true,
  radar: true,
  killfeed: true,
  highlight_info: true,
  watermark: false,
  pre_time_adjustment: 2,
  post_time_adjustment: -1.5,
};
const clip = {
  name: "Three rounds",
  format: "vertical" as const,
  visibility: "unlisted" as const,
  render_settings: settings,
  highlights: [
    { id: 1, round_number: 4 },
    { id: 2, round_number: 7 },
    { id: 3, round_number: 4 },
    { id: 4, round_number: 9 },
  ],
};
const form = (fields: Record<string, string>) => new Map(Object.entries(fields)) as unknown as FormData;

test("a new version has the clip's settings, format, name and visibility, and its rounds as they are placed", () => {
  const made = newVersionOf(
    clip,
    form({ "place-4": "3", "place-7": "1", "place-9": "2", leadIn: "1.5", leadOut: "0" }),
  );
  expect(made).toEqual({
    name: "Three rounds",
    highlight_ids: [2, 4, 1, 3],
    render_settings: { ...settings, pre_time_adjustment: 1.5, post_time_adjustment: 0 },
    format: "vertical",
    visibility: "unlisted",
    order: "chosen",
    reuse: true,
  });
});

test("rounds given the same place keep their order, and what is missing or no number stays as it was", () => {
  expect(
    newVersionOf(clip, form({ "place-4": "1", "place-7": "1", "place-9": "x", leadIn: "", leadOut: "y" })),
  ).toMatchObject({
    highlight_ids: [1, 3, 2, 4],
    render_settings: settings,
  });
});

test("seconds beyond the limits are brought within them", () => {
  expect(newVersionOf(clip, form({ leadIn: "60", leadOut: "-9" })).render_settings).toMatchObject({
    pre_time_adjustment: 5,
    post_time_adjustment: -1.5,
  });
});
