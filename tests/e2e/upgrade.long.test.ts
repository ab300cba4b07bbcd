import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Clip, ClipDetail } from "../../contract/schemas/clips.ts";
import type { MatchDetail, MatchList } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { startProduct } from "../services/product.ts";
import { probeVideo } from "../services/video.ts";

const kept = new URL("../fixtures/upgrade/", import.meta.url);
const suffix = ".tar.br";
const versions = readdirSync(kept)
  .filter((name) => name.endsWith(suffix))
  .map((name) => name.slice(0, -suffix.length));

test.each(versions)(
  "What players stored with %s is there after the upgrade, and what was in work is finished",
  async (version) => {
    const dataDirectory = mkdtempSync(join(tmpdir(), "clutchcast-upgrade-"));
    const files = brotliDecompressSync(readFileSync(new URL(`${version}${suffix}`, kept)));
    execFileSync("tar", ["-C", dataDirectory, "-x", "--no-same-owner"], { input: files });
    const product = await startProduct({}, { dataDirectory });
    try {
      const player = new ApiVisitor(product.url);
      await player.signIn("76561198000000001", "Old Player");
      const { results: matches } = await player.call<MatchList>("GET", "/api/matches/");
      expect(matches).toHaveLength(1);
      const match = await player.call<MatchDetail>("GET", `/api/matches/${matches[0]!.id}/`);
      expect(match).toMatchObject({ processing_status: "completed" });
      expect(match.highlights.length).toBeGreaterThan(10);

      const clips = await player.call<Clip[]>("GET", `/api/matches/${match.id}/clips/`);
      const [old, waiting] = ["An old clip", "Still waiting"].map((name) => clips.find((clip) => clip.name === name)!);
      expect(old).toMatchObject({ render_status: "completed", likes_count: 1, views_count: 1 });
      expect(probeVideo(await video(player, old!.id))).toMatchObject({ codec: "h264", height: 720 });
      const finished = await player.poll<ClipDetail>(`/api/matches/clips/${waiting!.id}/status/`, (clip) =>
        ["completed", "failed"].includes(clip.render_status),
      );
      expect(finished).toMatchObject({ render_status: "completed", render_error: null });
      expect(probeVideo(await video(player, waiting!.id)).frames).toBeGreaterThan(100);
      const page = await (await player.request("GET", `/clips/${old!.id}`)).text();
      expect(page).toContain("An old clip");
      expect(product.output()).not.toMatch(/"level":(50|60)/);
    } finally {
      expect(await product.stop()).toBe(0);
      rmSync(dataDirectory, { recursive: true, force: true });
    }
  },
);

async function video(player: ApiVisitor, id: string | number): Promise<string> {
  const response = await player.request("GET", `/video/clips/${id}/`);
  expect(response.status).toBe(200);
  const path = join(mkdtempSync(join(tmpdir(), "upgrade-")), "clip.mp4");
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  return path;
}
