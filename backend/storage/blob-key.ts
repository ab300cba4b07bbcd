import { extname } from "node:path";

/** One part of a key; no dot in front, so neither `..` nor a store's own folders can be named. */
const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** How the keys of blobs begin, in the order of their names; a bucket may hold what is not ours under others. */
const blobPrefixes = ["clips/", "demos/", "maps/", "probes/", "uploads/"] as const;

/** Those of them whose keys do not all come before a key. */
export function prefixesAfter(key: string): string[] {
  return blobPrefixes.filter((prefix) => prefix > key || key.startsWith(prefix));
}

/**
 * The parts of a blob key between its slashes.
 * @throws Error for what is no key; keys are made by our own code, so this is a fault and nobody's input
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

/** What is stored under a key says it by how the key ends. */
export function contentTypeOf(key: string): string {
  return contentTypes[extname(key)] ?? "application/octet-stream";
}
