import type { Image } from "@napi-rs/canvas";
import { loadImage } from "./canvas.ts";

/** A player's picture from an unknown host: not decoded, not to be trusted. */
export interface AvatarFile {
  /** Index into the match record's players. */
  player: number;
  /** JPEG or PNG, in base64. */
  base64: string;
}

/** Larger files are not downloaded; Steam's have about 10 KB. */
export const maxAvatarBytes = 128 * 1024;
/** Steam's are 184 pixels wide. */
const widestPixels = 1024;

/**
 * Decodes players' pictures. A picture is left out if it is no JPEG or PNG, claims to be larger than avatars are, or cannot be decoded.
 * Only call this in the contained renderer: hostile pictures attack decoders.
 */
export async function readAvatars(files: readonly AvatarFile[]): Promise<Map<number, Image>> {
  const decoded = await Promise.all(
    files.map(async ({ player, base64 }) => {
      const bytes = Buffer.from(base64, "base64");
      if (!avatarType(bytes)) return [];
      try {
        const image = await loadImage(bytes);
        return isSensible(image) ? [[player, image] as const] : [];
      } catch {
        return [];
      }
    }),
  );
  return new Map(decoded.flat());
}

/** The picture type that a file declares; null if it is another type, or claims to be larger than avatars are. */
export function avatarType(bytes: Buffer): "image/png" | "image/jpeg" | null {
  if (bytes.length > maxAvatarBytes) return null;
  const png = pngSize(bytes);
  const size = png ?? jpegSize(bytes);
  if (!size || !isSensible(size)) return null;
  return png ? "image/png" : "image/jpeg";
}

interface PixelSize {
  width: number;
  height: number;
}

function isSensible({ width, height }: PixelSize): boolean {
  return width >= 1 && height >= 1 && width <= widestPixels && height <= widestPixels;
}

/** Size in a PNG's header (PNG 1.2, 11.2.2); null for anything else. */
function pngSize(bytes: Buffer): PixelSize | null {
  if (bytes.length < 33 || bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") return null;
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Size in a JPEG's frame header (ITU T.81, B.2.2); null for anything else. */
function jpegSize(bytes: Buffer): PixelSize | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    // SOF0 to SOF15; the codes of DHT, JPG and DAC lie among them.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (marker === 0xda) return null;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
