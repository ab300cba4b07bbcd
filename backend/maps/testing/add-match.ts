import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { encodeReplayTrack } from "../../../replay/encode-track.ts";
import type { Footprints } from "../../../replay/replay-track.ts";
import { syntheticTrack } from "../../../scene/testing/synthetic-track.ts";
import type { Services } from "../../services.ts";

const cast = [{ name: "hero", team: 0 as const, pose: { x: 0, y: 0 } }];

/**
 * A match of a player on the map `de_test` with its demo, as an import leaves them.
 * @returns the demo
 */
export async function addMatch(
  services: Services,
  userId: number,
  footprints: Footprints,
  at: Date,
): Promise<{ sha256: string; trackKey: string }> {
  const { database, blobs, scratchDirectory } = services;
  const sha256 = randomBytes(32).toString("hex");
  const trackKey = `demos/${sha256.slice(0, 16)}/track-${sha256.slice(0, 8)}.bin`;
  const path = join(scratchDirectory, sha256);
  writeFileSync(path, gzipSync(encodeReplayTrack(syntheticTrack(cast, footprints))));
  await blobs.putFile(trackKey, path, "application/octet-stream");
  await database
    .insertInto("demos")
    .values({
      ...{ sha256, map: "de_test", game_mode: "", server_name: "", track_key: trackKey, detector_version: 1 },
      ...{ timing: JSON.stringify({ tickRate: 64, rounds: [] }), players: "[]", teams: "[]", created_at: at },
    })
    .execute();
  const match = { id: sha256.slice(0, 12), user_id: userId, demo_sha256: sha256, source: "upload" } as const;
  await database
    .insertInto("matches")
    .values({ ...match, status: "completed", created_at: at })
    .execute();
  return { sha256, trackKey };
}
