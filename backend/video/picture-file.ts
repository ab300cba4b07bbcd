/**
 * Several pictures as one file: "CCPX", length of the head (4 bytes, little-endian), the head as JSON with the offset of each picture after
 * it and its length, then the pictures. The file of a match is stored, named and deleted as a whole, and a picture is read as a range of
 * it.
 */
const magic = Buffer.from("CCPX");
const headAt = magic.length + 4;
/** Limit when reading a head: names and places of a thousand pictures. */
const maxHeadBytes = 128 * 1024;

export interface PicturePlace {
  /** From the file's beginning. */
  at: number;
  bytes: number;
}

/** @param pictures by name */
export function encodePictureFile(pictures: ReadonlyMap<string, Uint8Array>): Buffer {
  const places: Record<string, PicturePlace> = {};
  let at = 0;
  for (const [name, { length }] of pictures) {
    places[name] = { at, bytes: length };
    at += length;
  }
  const head = Buffer.from(JSON.stringify(places));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return Buffer.concat([magic, length, head, ...pictures.values()]);
}

/** Number of bytes at a file's beginning that usually contain its head. */
export const firstHeadBytes = 8 * 1024;

/**
 * The place of each picture.
 * @param beginning of the file: at least `firstHeadBytes`, or all of a shorter file
 * @param fileBytes of the whole file
 * @returns the number of bytes to read instead when the head is longer
 * @throws Error for another kind of file
 */
export function picturePlaces(beginning: Uint8Array, fileBytes: number): Map<string, PicturePlace> | number {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  const headBytes = bytes.length < headAt ? 0 : bytes.readUInt32LE(magic.length);
  if (!bytes.subarray(0, magic.length).equals(magic) || headBytes === 0 || headBytes > maxHeadBytes) {
    throw new Error("This is no file of pictures.");
  }
  if (headAt + headBytes > bytes.length) return headAt + headBytes;
  const head = JSON.parse(bytes.toString("utf8", headAt, headAt + headBytes)) as Record<string, PicturePlace>;
  const begin = headAt + headBytes;
  const places = Object.entries(head).map(
    ([name, { at, bytes: length }]) => [name, { at: begin + at, bytes: length }] as const,
  );
  const isInside = ({ at, bytes: length }: PicturePlace) =>
    Number.isSafeInteger(at) && Number.isSafeInteger(length) && at >= begin && length > 0 && at + length <= fileBytes;
  if (!places.every(([, place]) => isInside(place))) throw new Error("A picture lies outside of its file.");
  return new Map(places);
}
