import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

/** The bytes of an encoded replay track, which is stored plain or gzipped. */
export async function readTrack(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}
