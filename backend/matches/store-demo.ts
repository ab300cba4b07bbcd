import { randomBytes } from "node:crypto";
import { boundedLine, textLimits } from "../../contract/text-limits.ts";
import { knownWeapon } from "../../contract/weapons.ts";
import type { MatchRecord } from "../../replay/match-record.ts";
import type { Highlight } from "../highlights/highlight.ts";
import type { Services } from "../services.ts";

/** Raised when the detectors find something else than before in the same demo. */
export const detectorVersion = 1;

/** A statement has room for 65,535 values, and a highlight has eleven. */
const highlightsPerInsert = 500;

/** A demo after parsing, with its files still in the scratch folder. */
export interface ParsedDemoFiles {
  sha256: string;
  record: Pick<MatchRecord, "map" | "gameMode" | "serverName" | "players" | "teams" | "tickRate" | "rounds">;
  highlights: readonly Highlight[];
  trackPath: string;
  /** When the provider says it was played, else about when the host says its file was made. */
  playedAt: Date | null;
  /** The demo as it came, to be kept for DEMO_FILE_DAYS: a file to move, or a blob already stored. */
  raw: { path: string; bytes: number } | { key: string; bytes: number } | null;
}

/** Whether a demo's highlights and replay track are here already. */
export async function isDemoStored(services: Services, sha256: string): Promise<boolean> {
  const demo = await services.database
    .selectFrom("demos")
    .select("track_key")
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  return Boolean(demo?.track_key);
}

/**
 * Stores a parsed demo: its files first, then its rows in one transaction, so that rows never name a file that is not there.
 * A demo that somebody stored meanwhile stays as it is; one whose track was deleted by retention gets it back.
 * @throws BlobStoreFullError when the disk is full
 */
export async function storeDemo(services: Services, demo: ParsedDemoFiles): Promise<void> {
  const { blobs, database, config } = services;
  // The names are new each time: deleting an unused demo's files can then never hit those of its next import.
  const folder = `demos/${demo.sha256.slice(0, 16)}`;
  const token = randomBytes(4).toString("hex");
  const trackKey = `${folder}/track-${token}.bin`;
  const written = [trackKey];
  await blobs.putFile(trackKey, demo.trackPath, "application/octet-stream");
  let fileKey: string | null = null;
  try {
    if (demo.raw && config.DEMO_FILE_DAYS > 0) {
      if ("key" in demo.raw) fileKey = demo.raw.key;
      else {
        fileKey = `${folder}/demo-${token}.bin`;
        await blobs.putFile(fileKey, demo.raw.path, "application/octet-stream");
        written.push(fileKey);
      }
    }
    const stored = await database.transaction().execute(async (transaction) => {
      const { record } = demo;
      const inserted = await transaction
        .insertInto("demos")
        .values({
          sha256: demo.sha256,
          // Cut where they were read, and here again: this is what everybody's pages show.
          map: boundedLine(record.map, textLimits.mapName),
          game_mode: boundedLine(record.gameMode, textLimits.gameMode),
          server_name: boundedLine(record.serverName, textLimits.serverName),
          played_at: demo.playedAt,
          timing: JSON.stringify({ tickRate: record.tickRate, rounds: record.rounds }),
          players: JSON.stringify(
            record.players.map(({ name, steamId, team }) => ({
              name: boundedLine(name, textLimits.playerName),
              steam_id: steamId,
              team,
            })),
          ),
          teams: JSON.stringify(
            record.teams.map(({ name, score }) => ({ name: boundedLine(name, textLimits.clanName), score })),
          ),
          track_key: trackKey,
          file_key: fileKey,
          file_bytes: fileKey ? (demo.raw?.bytes ?? null) : null,
          detector_version: detectorVersion,
          created_at: services.now(),
        })
        .onConflict((conflict) => conflict.column("sha256").doNothing())
        .returning("sha256")
        .executeTakeFirst();
      if (!inserted) {
        const restored = await transaction
          .updateTable("demos")
          .set({ track_key: trackKey, file_key: fileKey, file_bytes: fileKey ? (demo.raw?.bytes ?? null) : null })
          .where("sha256", "=", demo.sha256)
          .where("track_key", "is", null)
          .executeTakeFirst();
        return restored.numUpdatedRows > 0n;
      }
      for (let first = 0; first < demo.highlights.length; first += highlightsPerInsert) {
        await transaction
          .insertInto("highlights")
          .values(
            demo.highlights.slice(first, first + highlightsPerInsert).map((highlight) => ({
              demo_sha256: demo.sha256,
              type: highlight.type,
              round: highlight.round,
              player: highlight.player,
              kills_count: highlight.moments.filter((moment) => moment.kind === "kill").length,
              score: highlight.score,
              reason: boundedLine(highlight.reason, textLimits.reason),
              start_tick: Math.floor(highlight.startTick),
              end_tick: Math.ceil(highlight.endTick),
              moments: JSON.stringify(
                highlight.moments.map((moment) => ({ ...moment, weapon: knownWeapon(moment.weapon) })),
              ),
            })),
          )
          .execute();
      }
      return true;
    });
    if (!stored) await deleteAll(services, written);
  } catch (error) {
    await deleteAll(services, written);
    throw error;
  }
}

async function deleteAll(services: Services, keys: readonly string[]): Promise<void> {
  for (const key of keys) await services.blobs.delete(key);
}
