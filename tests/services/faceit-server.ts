import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a key may call: the data API, and the download API, to which FACEIT grants access separately. */
type FaceitCall = "players" | "history" | "match" | "download";

/** HTTP 503, HTTP 429, half a JSON text, a cut connection, a key without permission (403). */
export type FaceitFault = "away" | "refused" | "broken" | "cut" | "forbidden";

export interface FaceitMatch {
  id: string;
  /** Null during the match. */
  finishedAt: Date | null;
  maps: string[];
  /** One per map; none until FACEIT has them. */
  demoUrls: string[];
  /** By map, the player's own first. */
  scores: [own: number, opponent: number][];
}

export interface FaceitServer {
  /** For FACEIT_API_URL. */
  url: string;
  /** `127.0.0.1:PORT`: expired signed addresses lead here. */
  host: string;
  /** For FACEIT_API_KEY; any other is refused. */
  key: string;
  /** Calls so far, in order. */
  asked: { call: FaceitCall; path: string }[];
  /** Matches of players by Steam ID, the newest first; read at every call. */
  matches: Record<string, FaceitMatch[]>;
  /** Faults of calls from now on. */
  faults: Partial<Record<FaceitCall, FaceitFault>>;
  /** Whether the file host refuses signed addresses. */
  hasExpiredLinks: boolean;
  close(): Promise<void>;
}

/**
 * Speaks FACEIT's protocol: the data API, version 4, with the shapes of its recorded answers, and the download API with its signed
 * addresses.
 */
export async function startFaceit(): Promise<FaceitServer> {
  const key = "a-faceit-key";
  let signed = 0;
  const server = createServer(async (request, response): Promise<unknown> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    if (pathname.startsWith("/expired/")) {
      response.writeHead(403, { "Content-Type": "application/xml" });
      return response.end("<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>");
    }
    const call = callOf(pathname);
    if (!call) return answer(response, 404, { errors: [] });
    state.asked.push({ call, path: request.url ?? "" });
    if (request.headers.authorization !== `Bearer ${key}`) return answer(response, 401, { errors: [] });
    const fault = state.faults[call];
    if (fault) return failAs(fault, request, response);
    const name = decodeURIComponent(pathname.split("/")[4] ?? "");
    if (call === "players") {
      const steamId = searchParams.get("game_player_id") ?? "";
      const isKnown = searchParams.get("game") === "cs2" && steamId in state.matches;
      return answer(response, isKnown ? 200 : 404, isKnown ? { player_id: playerId(steamId), nickname: "me" } : {});
    }
    if (call === "history") {
      const listed = state.matches[steamIdOf(name)] ?? [];
      const items = listed.slice(0, Number(searchParams.get("limit"))).map(({ id, finishedAt }) => ({
        match_id: id,
        game_mode: "5v5",
        finished_at: seconds(finishedAt),
      }));
      return answer(response, 200, { items, start: 0, end: items.length });
    }
    if (call === "match") {
      const [steamId, match] =
        Object.entries(state.matches)
          .flatMap(([of, listed]) => listed.map((one) => [of, one] as const))
          .find(([, { id }]) => id === name) ?? [];
      return answer(response, match ? 200 : 404, match ? matchBody(match, playerId(steamId ?? "")) : { errors: [] });
    }
    const { resource_url: wanted } = JSON.parse(Buffer.concat(pieces).toString("utf8")) as { resource_url: string };
    const address = state.hasExpiredLinks ? `${state.url}/expired/demo.dem.gz` : wanted;
    return answer(response, 200, { payload: { download_url: `${address}?X-Amz-Expires=300&signature=${++signed}` } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: FaceitServer = {
    ...{ url: `http://${host}`, host, key, asked: [], matches: {}, faults: {}, hasExpiredLinks: false },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return state;
}

const playerId = (steamId: string) => `c0ffee00-0000-4000-8000-${steamId.slice(-12)}`;
const steamIdOf = (player: string) => `76561${player.slice(-12)}`;
const seconds = (time: Date | null) => (time ? Math.floor(time.getTime() / 1000) : undefined);

function callOf(path: string): FaceitCall | null {
  if (path === "/data/v4/players") return "players";
  if (/^\/data\/v4\/players\/[^/]+\/history$/.test(path)) return "history";
  if (/^\/data\/v4\/matches\/[^/]+$/.test(path)) return "match";
  return path === "/download/v2/demos/download" ? "download" : null;
}

function matchBody({ id, finishedAt, maps, demoUrls, scores }: FaceitMatch, player: string) {
  return {
    match_id: id,
    game: "cs2",
    ...(finishedAt ? { finished_at: seconds(finishedAt) } : {}),
    teams: {
      faction1: { faction_id: "a", roster: [{ player_id: "someone-else", nickname: "x" }] },
      faction2: { faction_id: "b", roster: [{ player_id: player, nickname: "me" }] },
    },
    voting: { map: { entities: [], pick: maps }, voted_entity_types: ["map"] },
    ...(demoUrls.length > 0 ? { demo_url: demoUrls } : {}),
    ...(finishedAt
      ? {
          detailed_results: scores.map(([own, opponent]) => ({
            asc_score: false,
            factions: { faction1: { score: opponent }, faction2: { score: own } },
          })),
        }
      : {}),
    status: finishedAt ? "FINISHED" : "ONGOING",
  };
}

function answer(response: ServerResponse, status: number, body: object): unknown {
  response.writeHead(status, { "Content-Type": "application/json" });
  return response.end(JSON.stringify(body));
}

function failAs(fault: FaceitFault, request: IncomingMessage, response: ServerResponse): unknown {
  if (fault === "cut") return request.socket.destroy();
  if (fault === "refused") return answer(response, 429, { error: "Too many requests" });
  if (fault === "forbidden") return answer(response, 403, { errors: [{ code: "err_f0", message: "Forbidden" }] });
  if (fault === "away") {
    response.writeHead(503, { "Content-Type": "text/html" });
    return response.end("<h1>Service Unavailable</h1>");
  }
  response.writeHead(200, { "Content-Type": "application/json" });
  return response.end('{"player_id":');
}
