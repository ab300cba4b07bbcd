import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface HistoryProviderServer {
  /** For LEETIFY_API_URL. */
  url: string;
  /** Steam IDs whose matches were requested, in order. */
  asked: string[];
  /** Most simultaneous requests so far. */
  mostAtOnce(): number;
  /** Number of further requests to answer; all others are refused with HTTP 429. */
  answersLeft: number;
  /** The header Retry-After of refusals. */
  retryAfter: string | null;
  close(): Promise<void>;
}

export interface ListedMatch {
  id: string;
  map: string;
  demoUrl: string | null;
  finishedAt: string;
  score: [own: number, opponent: number];
}

/** Answer to a player's request: matches, HTTP 429, HTTP 503, half a JSON text, or a cut connection. */
export type HistoryAnswer = ListedMatch[] | "refused" | "away" | "broken" | "cut";

/**
 * Speaks Leetify's protocol (version 3, in the shape of its recorded answers): answers with the given value for a player, 404 for others.
 * @param matches read at every request, so a test may change it
 */
export async function startHistoryProvider(matches: Record<string, HistoryAnswer>): Promise<HistoryProviderServer> {
  const asked: string[] = [];
  let now = 0;
  let most = 0;
  const server = createServer((request, response): unknown => {
    const steamId = new URL(request.url ?? "/", "http://x").searchParams.get("steam64_id") ?? "";
    asked.push(steamId);
    most = Math.max(most, ++now);
    response.on("close", () => now--);
    const listed = state.answersLeft-- > 0 ? matches[steamId] : "refused";
    response.setHeader("Content-Type", "application/json");
    if (listed === "cut") return request.socket.destroy();
    if (listed === "broken") return response.end('[{"id":');
    if (listed === "away") {
      response.statusCode = 503;
      return response.end("down for maintenance");
    }
    if (!listed || listed === "refused") {
      response.statusCode = listed ? 429 : 404;
      if (listed && state.retryAfter !== null) response.setHeader("Retry-After", state.retryAfter);
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
  const state: HistoryProviderServer = {
    answersLeft: Number.POSITIVE_INFINITY,
    retryAfter: null,
    asked,
    mostAtOnce: () => most,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return state;
}
