import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { parseDemo } from "../../backend/demos/record/parse-demo.ts";
import { collectTrack } from "../../backend/demos/track/collect-track.ts";
import { detectHighlights } from "../../backend/highlights/index.ts";
import { highlightWindows } from "../../backend/highlights/segments.ts";
import { attachDemo } from "../../backend/matches/attach-demo.ts";
import { newMatchId } from "../../backend/matches/new-match-id.ts";
import { storeDemo } from "../../backend/matches/store-demo.ts";
import type { Services } from "../../backend/services.ts";
import { encodeReplayTrack } from "../../replay/encode-track.ts";

const reel = new URL("../fixtures/demos/highlights-reel.dem.gz", import.meta.url);

/**
 * Stores what the reel's import leaves. Its replay track is unreadable unless `hasTrack` is set: most tests need highlights, not videos.
 */
export async function storeReel(services: Services, { hasTrack = false } = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "reel-"));
  try {
    const demo = gunzipSync(readFileSync(reel));
    const demoPath = join(folder, "reel.dem");
    const trackPath = join(folder, "track");
    writeFileSync(demoPath, demo);
    writeFileSync(trackPath, "not drawn in these tests");
    const parsed = await parseDemo(demoPath);
    const { record } = parsed;
    const sha256 = createHash("sha256").update(demo).digest("hex");
    const highlights = detectHighlights(record);
    if (hasTrack) {
      const track = await collectTrack(demoPath, parsed, highlightWindows(highlights, record), {
        scratchDirectory: folder,
      });
      writeFileSync(trackPath, gzipSync(encodeReplayTrack(track)));
    }
    await storeDemo(services, { sha256, record, highlights, trackPath, playedAt: null, raw: null });
    return sha256;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A finished import of a stored demo by a player who has signed in. @returns the match's id */
export async function giveMatch(services: Services, steamId: string, sha256: string): Promise<string> {
  const { id: userId } = await services.database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", steamId)
    .executeTakeFirstOrThrow();
  const id = newMatchId();
  await services.database
    .insertInto("matches")
    .values({ id, user_id: userId, source: "url", demo_url: `https://demos.example/${id}.dem` })
    .execute();
  await attachDemo(services, id, sha256);
  await services.database
    .updateTable("matches")
    .set({ status: "completed", progress: 1, completed_at: services.now() })
    .where("id", "=", id)
    .execute();
  return id;
}

/** Completes a clip as its render would, with the test's own bytes as video. */
export async function finishClip(
  services: Services,
  clipId: number,
  video: string | Buffer = "not really a video",
  durationSeconds = 8,
): Promise<void> {
  const folder = mkdtempSync(join(services.scratchDirectory, "finish-"));
  const keys = {
    video_key: `clips/${clipId}/video-abcd1234.mp4`,
    poster_key: `clips/${clipId}/poster-abcd1234.jpg`,
    thumbnail_key: `clips/${clipId}/thumbnail-abcd1234.jpg`,
    loop_key: `clips/${clipId}/loop-12ab34cd.mp4`,
  };
  for (const key of Object.values(keys)) {
    const path = join(folder, "file");
    writeFileSync(path, video);
    await services.blobs.putFile(key, path, key.endsWith("mp4") ? "video/mp4" : "image/jpeg");
  }
  await services.database
    .updateTable("clips")
    .set({
      ...keys,
      wide_poster_key: keys.poster_key,
      share_key: keys.video_key,
      status: "completed",
      progress: 1,
      queue_slot: null,
      video_bytes: video.length,
      duration_seconds: durationSeconds,
      completed_at: services.now(),
    })
    .where("id", "=", clipId)
    .execute();
}
