import { extname } from "node:path";

/** One part of a key; it cannot start with a dot, which excludes `..` and a store's own folders. */
const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** How keys of blobs begin, sorted; a bucket may have other objects under other prefixes. */
const blobPrefixes = ["clips/", "demos/", "maps/", "probes/", "uploads/"] as const;

/** The prefixes that have keys after the given one. */
export function prefixesAfter(key: string): string[] {
  return blobPrefixes.filter((prefix) => prefix > key || key.startsWith(prefix));
}

/**
 * The parts of a blob key between its slashes.
 * @throws Error for an invalid key; our own code makes keys, so this is a fault in it rather than bad input
 */
export function blobKeyParts(key: string): string[] {
  if (!isBlobKey(key)) throw new Error(`“${key}” is not a blob key.`);
  return key.split("/");
}

export function isBlobKey(text: string): boolean {
  return text.split("/").every(isBlobKeyPart);
}

export function isBlobKeyPart(text: string): boolean {
  return part.test(text);
}

const contentTypes: Record<string, string> = {
  ".mp4": "video/mp4",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
};

/** The ending of a key determines the type of its content. */
export function contentTypeOf(key: string): string {
  return contentTypes[extname(key)] ?? "application/octet-stream";
}
