import type { Services } from "../../services.ts";
import { withNamedBlobs } from "../../storage/named-blobs.ts";

export interface SpareVideo {
  path: string;
  bytes: number;
  maxBytes: number;
}

/**
 * Stores a video and writes its key to the clip's row.
 * @param keep writes the key to the clip's row
 * @returns what `keep` does: false when the clip is gone, or has such a file
 * @throws Error when the stored file differs in size from the video, or is larger than allowed
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
