import { expect, test } from "vitest";
import { previewPicture } from "./preview-picture.ts";

const upright = { width: 1080, height: 1920 };

test("previews of links show a picture in 16:9, with its own size and not the video's", () => {
  const landscape = { poster_url: "/poster.jpg", wide_poster_url: "/wide.jpg" };
  expect(previewPicture(landscape, { width: 1920, height: 1080 })).toEqual({
    url: "/wide.jpg",
    width: 1280,
    height: 720,
  });
  expect(previewPicture(landscape, upright)).toEqual({ url: "/wide.jpg", width: 1280, height: 720 });
});

test("an upright clip from before wide posters has its poster in previews, and one without pictures none", () => {
  const before = { poster_url: "/poster.jpg", wide_poster_url: null };
  expect(previewPicture(before, upright)).toEqual({ url: "/poster.jpg", width: 720, height: 1280 });
  expect(previewPicture({ poster_url: null }, upright)).toBeNull();
});
