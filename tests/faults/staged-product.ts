import { readConfig } from "../../backend/config.ts";
import { openServices } from "../../backend/open-services.ts";
import type { Services } from "../../backend/services.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { Match, MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type Product, startProduct } from "../services/product.ts";
import type { FaultRun } from "./fault-run.ts";

/** Limits that protect a public server, out of the way of a harness that is a hundred players at one address. */
export const withoutLimits = { REQUESTS_PER_MINUTE: "1000000", IMPORTS_PER_DAY: "100000" };

/** The shortest clip of a highlight there can be: what is tested is not how long a render takes. */
export const shortestClip = { pre_time_adjustment: 0, post_time_adjustment: -1.5 };

/** Starts the product for a part; it is ended with it, and its data removed with the part's folder. */
export async function stagedProduct(
  run: FaultRun,
  environment: Record<string, string>,
  given: { dataDirectory?: string; port?: number } = {},
): Promise<Product> {
  const dataDirectory = given.dataDirectory ?? `${run.folder}/data`;
  const product = await startProduct({ ...withoutLimits, ...environment }, { ...given, dataDirectory });
  run.atEnd(() => (product.isRunning() ? product.kill() : undefined));
  return product;
}

/** SteamIDs above those given out so far, each once in a run of the harness. */
let playersMade = 0;
export function newSteamId(): string {
  return String(76561199998000000n + BigInt(++playersMade));
}

export interface Player {
  visitor: ApiVisitor;
  steamId: string;
  name: string;
}

export async function signedInPlayer(url: string, name = `player ${playersMade + 1}`): Promise<Player> {
  const player = { visitor: new ApiVisitor(url), steamId: newSteamId(), name };
  await player.visitor.signIn(player.steamId, name);
  return player;
}

export function requestImport(visitor: ApiVisitor, demoUrl: string): Promise<Match> {
  return visitor.call<Match>("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
}

export function importEnded(visitor: ApiVisitor, matchId: string, seconds = 180): Promise<ProcessingState> {
  const isEnded = ({ status }: ProcessingState) => status === "completed" || status === "failed";
  return visitor.poll<ProcessingState>(`/api/matches/${matchId}/status/`, isEnded, { seconds });
}

/** Imports a demo and waits for it. @returns the match with its highlights @throws when it does not complete */
export async function importedMatch(visitor: ApiVisitor, demoUrl: string): Promise<MatchDetail> {
  const { match_id: matchId } = await requestImport(visitor, demoUrl);
  const { status, error } = await importEnded(visitor, matchId);
  if (status !== "completed") throw new Error(`${demoUrl} ended as ${status}: ${error}`);
  return visitor.call<MatchDetail>("GET", `/api/matches/${matchId}/?include_players=true`);
}

/** The highlight that makes the shortest clip. */
export function shortestOf(highlights: readonly Highlight[]): Highlight {
  const length = (highlight: Highlight) => highlight.end_tick - highlight.start_tick;
  const shortest = [...highlights].sort((a, b) => length(a) - length(b))[0];
  if (!shortest) throw new Error("The match has no highlights.");
  return shortest;
}

export function createClip(visitor: ApiVisitor, matchId: string, highlightIds: readonly number[]): Promise<Clip> {
  return visitor.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
    name: "",
    highlight_ids: highlightIds,
    render_settings: shortestClip,
  });
}

export function renderEnded(visitor: ApiVisitor, clipId: number, seconds = 240): Promise<Clip> {
  const isEnded = ({ render_status: status }: Clip) => status === "completed" || status === "failed";
  return visitor.poll<Clip>(`/api/matches/clips/${clipId}/status/`, isEnded, { seconds });
}

/** A finished clip with all that is made of one, its loop included. @throws when it does not complete */
export async function renderedClip(visitor: ApiVisitor, match: MatchDetail): Promise<Clip> {
  const { id } = await createClip(visitor, match.match_id, [shortestOf(match.highlights).id]);
  const clip = await renderEnded(visitor, id);
  if (clip.render_status !== "completed") throw new Error(`Clip ${id} ended as ${clip.render_error}`);
  return visitor.poll<Clip>(`/api/matches/clips/${id}/status/`, ({ loop_url: loop }) => Boolean(loop));
}

/** Opens the data of a product that does not run, for what no call can make or show. */
export async function withStoredData<Result>(
  dataDirectory: string,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const config = readConfig({ DATA_DIR: dataDirectory, LOG_LEVEL: "error", HISTORY_PROVIDER: "none" });
  const { services, close } = await openServices(config);
  try {
    return await work(services);
  } finally {
    await close();
  }
}

export async function until(what: () => boolean | Promise<boolean>, withinMs: number, everyMs = 50): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (await what()) return true;
    await pause(everyMs);
  }
  return false;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Whether a text is a sentence for a player that says more than that something went wrong. */
export function isSentence(text: string | null | undefined): boolean {
  return /^\S.*[.!?]$/.test(text ?? "") && !/on our side/.test(text ?? "");
}
