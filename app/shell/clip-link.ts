import type { Clip } from "../../contract/schemas/clips.ts";

/** The part of a video's address that changes with its content; null while there is no video. */
export function versionOf(videoUrl: string | null): string | null {
  return videoUrl && new URL(videoUrl, "http://x").searchParams.get("v");
}

/** The address of a clip as it is shared. @param startSeconds 0 for the beginning */
export function sharedAddress(address: string, version: string | null, startSeconds: number): string {
  const query = new URLSearchParams();
  if (version) query.set("v", version);
  if (startSeconds > 0) query.set("t", String(startSeconds));
  return query.size > 0 ? `${address}?${query}` : address;
}

/** The address of a clip from its beginning, under the name by which the browser knows the server. */
export function clipLink({ public_id: id, video_url: videoUrl }: Pick<Clip, "public_id" | "video_url">): string {
  return sharedAddress(`${location.origin}/clips/${id}`, versionOf(videoUrl), 0);
}
