import { sql } from "kysely";
import type { Services } from "../services.ts";
import { keptPlan } from "../storage/kept-plan.ts";
import type { DemoPlayer } from "../storage/schema.ts";

/** Known Steam profiles by SteamID. */
export type PlayerProfiles = ReadonlyMap<string, { name: string; avatar_url: string | null }>;

/** Looks up the stored profiles of all players of some demos in one query; unknown players are simply absent. */
export async function profilesOfPlayers(
  services: Services,
  rosters: readonly (readonly DemoPlayer[])[],
): Promise<PlayerProfiles> {
  const steamIds = [...new Set(rosters.flatMap((players) => players.flatMap((player) => player.steam_id ?? [])))];
  if (steamIds.length === 0) return new Map();
  const rows = await services.database
    .selectFrom("profiles")
    .modifyFront(keptPlan)
    .select(["steam_id", "name", "avatar_url"])
    // One array parameter, since a page of clips has hundreds of players.
    .where("steam_id", "=", sql<string>`ANY(${steamIds}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.steam_id, row]));
}
