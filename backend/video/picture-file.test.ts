import { expect, test } from "vitest";
import { encodePictureFile, firstHeadBytes, picturePlaces } from "./picture-file.ts";

const pictures = new Map([
  ["floor-0.webp", Buffer.from("a floor")],
  ["still-3-4711.webp", Buffer.from("somebody falls")],
]);

test("pictures are found in their file, by a first part of it when that is enough", () => {
  const file = encodePictureFile(pictures);
  const places = picturePlaces(file, file.length);
  if (typeof places === "number") throw new Error("The whole file was there.");
  for (const [name, picture] of pictures) {
    const { at, bytes } = places.get(name)!;
    expect(file.subarray(at, at + bytes)).toEqual(picture);
  }
  const many = new Map(
    Array.from({ length: 250 }, (_, i) => [`still-${i}-${i * 9999}.webp`, Buffer.from(`picture ${i}`)]),
  );
  const large = encodePictureFile(many);
  const wanted = picturePlaces(large.subarray(0, firstHeadBytes), large.length);
  expect(wanted).toBeGreaterThan(firstHeadBytes);
  const all = picturePlaces(large.subarray(0, wanted as number), large.length) as Map<
    string,
    { at: number; bytes: number }
  >;
  const { at, bytes } = all.get("still-249-2489751.webp")!;
  expect(large.toString("utf8", at, at + bytes)).toBe("picture 249");
});

test("a file that is none, and places outside of it, are refused", () => {
  const file = encodePictureFile(pictures);
  expect(() => picturePlaces(Buffer.from("a video or so"), 13)).toThrow("no file of pictures");
  expect(() => picturePlaces(file, file.length - 1)).toThrow("outside of its file");
});
