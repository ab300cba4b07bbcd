import type { Services } from "../../services.ts";
import { withNamedBlobs } from "../../storage/named-blobs.ts";

export interface SpareVideo {
  path: string;
  bytes: number;
  maxBytes: number;
}

/**
 * Stores a video that is made and has its clip name it.
 * @param keep writes the key to the clip's row
 * @returns what `keep` does: false when the clip is gone, or has such a file
 * @throws Error when the store has something else than was made, or it is larger than agreed
 */
export function keepSpareVideo(
  services: Services,
  key: string,
  { path, bytes, maxBytes }: SpareVideo,
  keep: () => Promise<boolean>,
): Promise<boolean> {
  return withNamedBlobs(services, [key], async () => {
    await services.blobs.putFile(key, path, "video/mp4");
    const stored = await services.blobs.stat(key);
    if (stored?.bytes !== bytes || bytes > maxBytes) throw new Error("The stored video is not the one that was made.");
    return keep();
  });
}
