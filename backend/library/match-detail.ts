import { boundedLine, cleanPlayerName } from "../../contract/clean-text.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { textLimits } from "../../contract/text-limits.ts";
import { clipsOfMatch } from "../clips/lists/clip-lists.ts";
import { requestPictures } from "../clips/match-replay/match-pictures.ts";
import { requestStills } from "../clips/match-replay/moment-stills.ts";
import { picturesUrl } from "../clips/match-replay/pictures-url.ts";
import { demoHighlights } from "../matches/demo-highlights.ts";
import { importPositions } from "../matches/import-positions.ts";
import { ownMatch } from "../matches/own-match.ts";
import { type PlayerProfiles, profilesOfPlayers } from "../matches/player-profiles.ts";
import { presentHighlight } from "../matches/present-highlight.ts";
import { presentMatch } from "../matches/present-match.ts";
import { rosterOrder } from "../matches/roster-order.ts";
import type { Services } from "../services.ts";
import { isDiskFull } from "../storage/disk-full.ts";
import type { DemoRow, HighlightRow, User } from "../storage/schema.ts";

/**
 * One of a player's matches with all its highlights and clips.
 * @returns null for what does not exist or is somebody else's
 */
export async function matchDetail(
  services: Services,
  user: User,
  matchId: string,
  { includePlayers }: { includePlayers: boolean },
): Promise<MatchDetail | null> {
  const row = await ownMatch(services, user.id, matchId);
  if (!row) return null;
  const demo = row.demo_sha256
    ? ((await services.database
        .selectFrom("demos")
        .selectAll()
        .where("sha256", "=", row.demo_sha256)
        .executeTakeFirst()) ?? null)
    : null;
  const highlights = demo ? await demoHighlights(services, demo.sha256) : [];
  if (demo && row.status === "completed") await requestMissing(services, user, demo, highlights);
  const profiles = await profilesOfPlayers(services, demo ? [demo.players] : []);
  const clips = await clipsOfMatch(services, row.id, user.id);
  const positions = await importPositions(services, [row]);
  return {
    ...presentMatch(row, user.steam_id, {
      demo,
      queuePosition: positions.get(row.id) ?? null,
      highlightsCount: highlights.length,
      highlights: highlights.map((highlight) => presentHighlight(highlight, demo?.players ?? [], profiles)),
      clipsCount: clips.length,
      clips,
    }),
    players_by_team: includePlayers && demo ? playersByTeam(demo, user.steam_id, profiles) : null,
    can_create_clips: row.status === "completed" && Boolean(demo?.track_key),
    pictures_url: demo && picturesUrl(row.id, demo),
  };
}

/** Pictures and stills that a look at the match finds missing. */
async function requestMissing(
  services: Services,
  user: User,
  demo: DemoRow,
  highlights: readonly HighlightRow[],
): Promise<void> {
  if (services.diskSpace.isFull()) return;
  try {
    await requestPictures(services, demo);
    await requestStills(services, user, demo, highlights);
  } catch (error) {
    // Whoever reads a page needs no room on the disk.
    if (!isDiskFull(error)) throw error;
  }
}

function playersByTeam(demo: DemoRow, steamId: string, profiles: PlayerProfiles): MatchDetail["players_by_team"] {
  const { order } = rosterOrder(demo.players, steamId);
  const team = (index: 0 | 1, fallback: string) => ({
    name: boundedLine(demo.teams[index]?.name ?? "", textLimits.clanName) || fallback,
    players: demo.players
      .filter((player) => player.team === index)
      .map(({ name, steam_id }) => ({
        name: cleanPlayerName(name) || "Unknown player",
        steam_id,
        avatar_url: (steam_id && profiles.get(steam_id)?.avatar_url) || null,
      })),
  });
  return { team1: team(order[0], "Team 1"), team2: team(order[1], "Team 2") };
}
