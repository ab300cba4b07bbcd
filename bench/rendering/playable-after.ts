import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ClipDetail } from "../../contract/schemas/clips.ts";
import type { MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../../tests/services/api-visitor.ts";
import { startDemoHost } from "../../tests/services/demo-host.ts";
import { startProduct } from "../../tests/services/product.ts";

/** Whether the relief that follows an import was drawn. */
function hasRelief(dataDirectory: string): boolean {
  const folder = join(dataDirectory, "reliefs");
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("match-"));
}

export interface Playable {
  clipSeconds: number;
  /** From the press on Create to the first byte of the video. */
  seconds: number;
  /** Time of ffmpeg alone for a video of these frames, including decoding. */
  encodingSeconds: number;
}

/**
 * Imports a real match into the built product and times a clip of about twenty seconds as its player sees it: the call that creates it, a
 * status request twice a second, and the video's first byte. The queue is empty by then, and the ground of the match is drawn.
 */
export async function playableAfter(folder: string, ffmpegPath: string): Promise<Playable> {
  const demos = await startDemoHost();
  const product = await startProduct({ IMPORT_ALLOW_HOSTS: demos.host });
  try {
    const player = new ApiVisitor(product.url);
    await player.signIn("76561199999900000", "bench");
    const demoUrl = demos.url("match-de_mirage.dem.bz2");
    const asked = await player.call<MatchDetail>("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
    const imported = await player.poll<ProcessingState>(`/api/matches/${asked.match_id}/status/`, ({ status }) =>
      ["completed", "failed"].includes(status),
    );
    const match = await player.call<MatchDetail>("GET", `/api/matches/${imported.match_id}/?include_players=true`);
    const best = [...match.highlights].sort((a, b) => b.score - a.score).slice(0, 2);

    while (!hasRelief(product.dataDirectory)) await setTimeout(200);
    const start = performance.now();
    const created = await player.call<ClipDetail>("POST", `/api/matches/${match.match_id}/clips/create/`, {
      name: "The two best moments",
      highlight_ids: best.map(({ id }) => id),
      render_settings: {},
    });
    const clip = await player.poll<ClipDetail>(
      `/api/matches/clips/${created.id}/status/`,
      ({ render_status: status }) => ["completed", "failed"].includes(status),
      { everyMs: 500 },
    );
    const first = await player.request("GET", `/video/clips/${clip.id}/`, undefined, { Range: "bytes=0-65535" });
    await first.arrayBuffer();
    const seconds = (performance.now() - start) / 1000;
    if (first.status !== 206) throw new Error(`The video was answered with ${first.status}.`);

    const video = await player.request("GET", `/video/clips/${clip.id}/`);
    const path = join(folder, "playable.mp4");
    writeFileSync(path, Buffer.from(await video.arrayBuffer()));
    const encodingStart = performance.now();
    const again = ["-preset", "ultrafast", "-crf", "23", "-threads", "2", "-f", "mp4", join(folder, "again.mp4")];
    const { status, stderr } = spawnSync(ffmpegPath, ["-y", "-nostdin", "-i", path, "-c:v", "libx264", ...again]);
    if (status !== 0) throw new Error(String(stderr));
    return {
      clipSeconds: clip.duration_seconds ?? 0,
      seconds,
      encodingSeconds: (performance.now() - encodingStart) / 1000,
    };
  } finally {
    await product.stop();
    await demos.close();
  }
}
