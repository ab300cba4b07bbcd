import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { MapImage } from "../../scene/display-list.ts";
import type { Relief, ReliefFloor } from "../../scene/relief/build-relief.ts";
import { reliefVersion } from "../../scene/relief/relief-version.ts";
import { createCanvas, loadImage } from "./canvas.ts";

/**
 * A finished relief as a file: "CCRF", SHA-256 of the rest (32 bytes), length (4 bytes, little-endian) and head as JSON, then for every
 * floor, from top to bottom, its picture as a PNG and its grids, deflated. The pictures can be served directly. Reading restores exactly
 * what was written.
 */
const magic = Buffer.from("CCRF");
const hashBytes = 32;

interface ReliefHead extends Pick<Relief, "projection" | "floorHeight"> {
  reliefVersion: number;
  floors: {
    grid: Pick<ReliefFloor["grid"], "columns" | "rows" | "cell" | "west" | "north">;
    hasDeck: boolean;
    image: Pick<MapImage, "key" | "width" | "height">;
    pictureBytes: number;
    gridBytes: number;
  }[];
}

/** The file is no relief, damaged, or of another version, so the relief has to be built anew. */
export class ReliefFileError extends Error {}

export async function encodeRelief({ projection, floorHeight, floors }: Relief): Promise<Buffer> {
  const blocks: Buffer[] = [];
  const head: ReliefHead = { reliefVersion, projection, floorHeight, floors: [] };
  for (const { grid, image } of floors) {
    const { columns, rows, cell, west, north, edgeDistance, height, deck } = grid;
    const fields = [edgeDistance, height, ...(deck ? [deck.edgeDistance, deck.height] : [])];
    const picture = pictureOf(image);
    const packed = await promisify(deflateRaw)(Buffer.concat(fields.map(bytesOf)), { level: 1 });
    blocks.push(picture, packed);
    head.floors.push({
      grid: { columns, rows, cell, west, north },
      hasDeck: deck !== null,
      image: { key: image.key, width: image.width, height: image.height },
      pictureBytes: picture.length,
      gridBytes: packed.length,
    });
  }
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const rest = Buffer.concat([length, text, ...blocks]);
  return Buffer.concat([magic, createHash("sha256").update(rest).digest(), rest]);
}

/** @throws ReliefFileError */
export async function decodeRelief(bytes: Buffer): Promise<Relief> {
  const rest = bytes.subarray(magic.length + hashBytes);
  const hash = bytes.subarray(magic.length, magic.length + hashBytes);
  const isWhole = rest.length > 4 && createHash("sha256").update(rest).digest().equals(hash);
  if (!isWhole || !bytes.subarray(0, magic.length).equals(magic)) throw new ReliefFileError("The file is damaged.");
  const headEnd = 4 + rest.readUInt32LE(0);
  const head = JSON.parse(rest.toString("utf8", 4, headEnd)) as ReliefHead;
  if (head.reliefVersion !== reliefVersion) throw new ReliefFileError(`The relief has version ${head.reliefVersion}.`);
  let at = headEnd;
  const next = (length: number) => {
    at += length;
    return rest.subarray(at - length, at);
  };
  const floors: ReliefFloor[] = [];
  for (const { grid, hasDeck, image, pictureBytes, gridBytes } of head.floors) {
    const rgba = await pixelsOf(next(pictureBytes), image);
    const unpacked = await promisify(inflateRaw)(next(gridBytes));
    const cells = grid.columns * grid.rows;
    const fieldBytes = cells * Float32Array.BYTES_PER_ELEMENT;
    if (unpacked.length !== fieldBytes * (hasDeck ? 4 : 2)) throw new ReliefFileError("The grids have another size.");
    // Copied, since a part of a buffer may begin at an unaligned offset.
    const field = (i: number) =>
      new Float32Array(Uint8Array.from(unpacked.subarray(i * fieldBytes, (i + 1) * fieldBytes)).buffer);
    floors.push({
      grid: {
        ...grid,
        edgeDistance: field(0),
        height: field(1),
        deck: hasDeck ? { edgeDistance: field(2), height: field(3) } : null,
      },
      image: { ...image, rgba },
    });
  }
  return { projection: head.projection, floors, floorHeight: head.floorHeight };
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** As a PNG. The pixels are opaque, so a canvas returns them unchanged. */
function pictureOf({ width, height, rgba }: MapImage): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(width, height);
  pixels.data.set(rgba);
  context.putImageData(pixels, 0, 0);
  return canvas.encodeSync("png");
}

async function pixelsOf(
  png: Buffer,
  { width, height }: Pick<MapImage, "width" | "height">,
): Promise<Uint8ClampedArray> {
  const picture = await loadImage(png);
  if (picture.width !== width || picture.height !== height) throw new ReliefFileError("The picture has another size.");
  const context = createCanvas(width, height).getContext("2d");
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, width, height).data;
}
