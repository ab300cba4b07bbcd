import { expect, test } from "vitest";
import { type AvatarFile, maxAvatarBytes, readAvatars } from "./avatars.ts";
import { createCanvas } from "./canvas.ts";

function drawn(width: number, height: number): { png: Buffer; jpeg: Buffer } {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "#2a6";
  context.fillRect(0, 0, width, height);
  return { png: canvas.toBuffer("image/png"), jpeg: canvas.toBuffer("image/jpeg") };
}

const file = (player: number, bytes: Buffer): AvatarFile => ({ player, base64: bytes.toString("base64") });
const readOne = async (bytes: Buffer) => (await readAvatars([file(0, bytes)])).size;

test("a player's JPEG or PNG is read at its size", async () => {
  const { png, jpeg } = drawn(184, 184);
  const avatars = await readAvatars([file(3, png), file(7, jpeg)]);
  expect([...avatars].map(([player, { width, height }]) => [player, width, height])).toEqual([
    [3, 184, 184],
    [7, 184, 184],
  ]);
});

test("a picture of more pixels than players' pictures have is not even decoded", async () => {
  const { png, jpeg } = drawn(1025, 8);
  expect(await readOne(png)).toBe(0);
  expect(await readOne(jpeg)).toBe(0);
  // A picture that only claims its size: decoding it would reserve gigabytes.
  const bomb = Buffer.from(drawn(8, 8).png);
  bomb.writeUInt32BE(65_000, 16);
  bomb.writeUInt32BE(65_000, 20);
  expect(await readOne(bomb)).toBe(0);
});

test("what is no picture is left out, and takes nobody else's along", async () => {
  const { png, jpeg } = drawn(64, 64);
  const hostile = [
    Buffer.alloc(0),
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
    ),
    Buffer.from("GIF89a\x08\x00\x08\x00"),
    png.subarray(0, 40),
    jpeg.subarray(0, 20),
    Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe0, 0, 0]), jpeg.subarray(2)]),
    Buffer.concat([png, Buffer.alloc(maxAvatarBytes)]),
  ];
  for (const bytes of hostile) expect((await readAvatars([file(0, bytes), file(1, png)])).has(1)).toBe(true);
  expect(await Promise.all(hostile.map(readOne))).toEqual(hostile.map(() => 0));
});
