import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface HistoryProviderServer {
  /** For LEETIFY_API_URL. */
  url: string;
  close(): Promise<void>;
}

export interface ListedMatch {
  id: string;
  map: string;
  demoUrl: string | null;
  finishedAt: string;
  score: [own: number, opponent: number];
}

/**
 * Speaks Leetify's protocol (version 3, the shape of its recorded answers): the matches given for a player, "refused" for
 * one who asks too often, 404 for others.
 */
export async function startHistoryProvider(
  matches: Record<string, ListedMatch[] | "refused">,
): Promise<HistoryProviderServer> {
  const server = createServer((request, response): unknown => {
    const steamId = new URL(request.url ?? "/", "http://x").searchParams.get("steam64_id") ?? "";
    const listed = matches[steamId];
    response.setHeader("Content-Type", "application/json");
    if (!listed || listed === "refused") {
      response.statusCode = listed ? 429 : 404;
      return response.end(JSON.stringify({ error: listed ? "Too many requests" : "Not found" }));
    }
    return response.end(
      JSON.stringify(
        listed.map(({ id, map, demoUrl, finishedAt, score: [own, opponent] }) => ({
          id,
          finished_at: finishedAt,
          data_source: "matchmaking",
          data_source_match_id: `CSGO-${id}`,
          map_name: map,
          has_banned_player: false,
          replay_url: demoUrl,
          team_scores: [
            { team_number: 2, score: opponent },
            { team_number: 3, score: own },
          ],
          stats: [{ steam64_id: steamId, name: "Player", initial_team_number: 3 }],
        })),
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
