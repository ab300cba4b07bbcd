import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../backend/config.ts";
import { openServices } from "../../backend/open-services.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { startOpenIdProvider } from "../../tests/api/openid-provider.ts";
import { startDemoHost } from "../../tests/services/demo-host.ts";
import { freePort, startProduct } from "../../tests/services/product.ts";
import { PublicVisitor } from "../../tests/services/public-visitor.ts";
import { copyClips, copyMatches, spreadClips, userIdOf } from "../../tests/services/seeded-rows.ts";
import { runVisitors } from "./run-visitors.ts";
import type { LoadFigures, VisitorLoad } from "./visitors.ts";

export interface LoadOptions {
  visitors: number;
  thinkMs: number;
  seconds: number;
  /** Number of simultaneous renders. */
  renders: number;
  /** Finished clips in the lists. */
  clips: number;
  /** File below tests/fixtures/demos whose highlights are rendered. */
  demo?: string;
  say(text: string): void;
}

export interface LoadComparison {
  quiet: LoadFigures;
  rendering: LoadFigures;
  /** Clips finished during the second load. */
  rendered: number;
  /** Sentences of failed renders. */
  failures: string[];
}

/** The limits of a public server are per caller; the two hundred visitors come from as many networks. */
const environment = { LOG_LEVEL: "error", HISTORY_PROVIDER: "none", TRUST_PROXY: "true", HOST: "127.0.0.1" };
const signedInShare = 0.25;

/**
 * Starts the built product as for public hosting, behind a proxy, and measures pages under the visitors' load: first alone, then while
 * clips render.
 */
export async function measureLoad(options: LoadOptions): Promise<LoadComparison> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "clutchcast-load-"));
  const ends: (() => unknown)[] = [() => rmSync(dataDirectory, { recursive: true, force: true })];
  try {
    const demos = await startDemoHost();
    ends.push(() => demos.close());
    const steam = await startOpenIdProvider();
    ends.push(() => steam.close());
    const port = await freePort();
    const start = async () => {
      const product = await startProduct(
        {
          ...environment,
          PUBLIC_URL: `http://localhost:${port}`,
          STEAM_OPENID_URL: steam.endpoint,
          IMPORT_ALLOW_HOSTS: demos.host,
          RENDER_WORKERS: String(Math.max(1, options.renders)),
        },
        { dataDirectory, port },
      );
      ends.push(() => (product.isRunning() ? product.kill() : undefined));
      return product;
    };
    const signedIn = async (steamId: string) => {
      const visitor = new PublicVisitor(`http://localhost:${port}`);
      await visitor.signInThrough(steam, steamId);
      return visitor;
    };

    const steamId = "76561199999900041";
    const first = await start();
    const made = await importAndRender(await signedIn(steamId), demos.url(options.demo ?? "match-de_mirage.dem.bz2"));
    await first.stop();
    await fillLists(dataDirectory, steamId, made, options.clips);
    const { url } = await start();

    const players = Math.round(options.visitors * signedInShare);
    const cookies: string[] = [];
    for (let number = 0; number < players; number++) {
      cookies.push((await signedIn(String(76561199999901000n + BigInt(number)))).cookieHeader);
    }
    const clipPage = `/clips/${made.clipId}`;
    const load: VisitorLoad = {
      url,
      visitors: options.visitors,
      seconds: options.seconds,
      thinkMs: options.thinkMs,
      pages: [
        "/",
        clipPage,
        clipPage,
        `/clips/${made.clipId + 1}`,
        `/clips/${made.clipId + 2}`,
        `/users/${steamId}/clips`,
      ],
      files: [
        { path: `/video/clips/${made.clipId}/thumbnail.jpg` },
        { path: `/video/clips/${made.clipId}/`, range: "bytes=0-65535" },
      ],
      cookies,
      isProxied: true,
    };
    await runVisitors({ ...load, seconds: Math.min(5, options.seconds) });
    options.say(`${options.visitors} visitors for ${options.seconds} s`);
    const quiet = await runVisitors(load);
    options.say(`the same while ${options.renders} clips render`);
    const renders = keepRendering(await signedIn(steamId), made, options.renders);
    const rendering = await runVisitors(load);
    return { quiet, rendering, ...(await renders.end()) };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

interface Made {
  matchId: string;
  clipId: number;
  /** The longest first. */
  highlightIds: number[];
}

async function importAndRender(visitor: PublicVisitor, demoUrl: string): Promise<Made> {
  const { match_id: matchId } = await visitor.call<MatchDetail>("POST", "/api/matches/upload-demo/", {
    demo_url: demoUrl,
  });
  const state = await visitor.poll<ProcessingState>(
    `/api/matches/${matchId}/status/`,
    ({ is_processing }) => !is_processing,
  );
  if (state.status !== "completed") throw new Error(`The import ended as ${state.status}: ${state.error}`);
  const { highlights } = await visitor.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const longest = [...highlights].sort((a, b) => b.end_tick - b.start_tick - (a.end_tick - a.start_tick));
  const highlightIds = longest.map(({ id }) => id);
  const { id: clipId } = await createClip(visitor, matchId, highlightIds.slice(-1));
  const clip = await visitor.poll<Clip>(`/api/matches/clips/${clipId}/status/`, isEnded);
  if (clip.render_status !== "completed") throw new Error(`The render failed: ${clip.render_error}`);
  // Copies of a clip without its loop would each get one during the measurement.
  await visitor.poll<Clip>(`/api/matches/clips/${clipId}/status/`, ({ loop_url }) => loop_url != null);
  return { matchId, clipId, highlightIds };
}

const isEnded = ({ render_status: status }: Clip) => status === "completed" || status === "failed";

function createClip(visitor: PublicVisitor, matchId: string, highlightIds: readonly number[]): Promise<Clip> {
  const body = { name: "", highlight_ids: highlightIds };
  return visitor.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, body);
}

/** Adds rows that would take too long to create by calls: copies of the clip, over several matches. */
async function fillLists(dataDirectory: string, steamId: string, made: Made, clips: number): Promise<void> {
  const { services, close } = await openServices(
    readConfig({ ...environment, TRUST_PROXY: "", DATA_DIR: dataDirectory }),
  );
  try {
    const { database } = services;
    await copyClips(database, made.clipId, clips);
    // Four clips of each match, a usual number for players.
    const copies = await copyMatches(database, made.matchId, Math.ceil(clips / 4));
    await spreadClips(database, await userIdOf(database, steamId), [made.matchId, ...copies]);
  } finally {
    await close();
  }
}

/** Renders clips of five highlights, one after the other in each lane, until `end`; clips still rendering then are deleted. */
function keepRendering(visitor: PublicVisitor, { matchId, highlightIds }: Made, lanes: number) {
  let isOver = false;
  let rendered = 0;
  const failures: string[] = [];
  const lane = async (number: number) => {
    while (!isOver) {
      const { id } = await createClip(visitor, matchId, highlightIds.slice(number * 5, number * 5 + 5));
      const path = `/api/matches/clips/${id}/status/`;
      const clip = await visitor.poll<Clip>(path, (state) => isOver || isEnded(state), {
        seconds: 3600,
        everyMs: 1000,
      });
      if (clip.render_status === "completed") rendered++;
      if (clip.render_status === "failed") failures.push(clip.render_error ?? "failed");
      if (!isEnded(clip)) await visitor.request("DELETE", `/api/matches/clips/${id}/delete/`);
    }
  };
  const all = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  return {
    async end() {
      isOver = true;
      await all;
      return { rendered, failures };
    },
  };
}
