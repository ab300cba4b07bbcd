import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type { ServerBuild } from "@remix-run/node";
import { sql } from "kysely";
import { createApi } from "../../backend/api/create-api.ts";
import { readConfig } from "../../backend/config.ts";
import { openServices } from "../../backend/open-services.ts";
import { startWorkers } from "../../backend/start-workers.ts";
import { createWeb } from "../../backend/web/create-web.ts";
import type { Clip, MatchDetail, ProcessingState } from "../../contract/api.ts";
import { ApiVisitor } from "../../tests/services/api-visitor.ts";
import { startDemoHost } from "../../tests/services/demo-host.ts";
import { freePort } from "../../tests/services/product.ts";
import { bareBuild } from "./bare-build.ts";

const root = new URL("../../", import.meta.url).pathname;

export interface SeededProduct {
  url: string;
  /** The same server code around a Remix build with one empty route. */
  bareUrl: string;
  /** Cookie header of the player whose clips these are. */
  cookie: string;
  steamId: string;
  matchId: string;
  clipId: number;
  close(): Promise<void>;
}

/**
 * A product with `clips` completed clips in its database, all showing one really rendered video, and nine matches.
 * Import and render go through the product's own pipeline; the other rows are copies with other likes, views and types.
 */
export async function startSeededProduct({ clips }: { clips: number }): Promise<SeededProduct> {
  const demos = await startDemoHost();
  const dataDirectory = mkdtempSync(join(tmpdir(), "clutchcast-bench-"));
  const port = await freePort();
  const { services, close } = await openServices(
    readConfig({
      PORT: String(port),
      DATA_DIR: dataDirectory,
      HISTORY_PROVIDER: "none",
      LOG_LEVEL: "error",
      IMPORT_ALLOW_HOSTS: demos.host,
      REQUESTS_PER_MINUTE: "1000000",
    }),
  );
  const api = createApi(services);
  const build = (await import(`${root}build/server/index.js`)) as ServerBuild;
  const serve = async (served: ServerBuild, at: number) => {
    const web = createWeb({
      services,
      api,
      loadBuild: async () => served,
      mode: "production",
      assetsFolder: `${root}build/client`,
    });
    const server = createServer(getRequestListener(web.fetch));
    await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
    return { server, url: `http://localhost:${(server.address() as AddressInfo).port}` };
  };
  const product = await serve(build, port);
  const bare = await serve(bareBuild(build), 0);
  await startWorkers(services);

  const steamId = "76561199999900040";
  const player = new ApiVisitor(product.url);
  await player.signIn(steamId, "Bench");
  const match = await player.call<MatchDetail>("POST", "/api/matches/upload-demo/", {
    demo_url: demos.url("match-de_mirage.dem.bz2"),
  });
  const state = await player.poll<ProcessingState>(`/api/matches/${match.match_id}/status/`, (answer) =>
    ["completed", "failed"].includes(answer.status),
  );
  const detail = await player.call<MatchDetail>("GET", `/api/matches/${state.match_id}/?include_players=true`);
  const clip = await player.call<Clip>("POST", `/api/matches/${detail.match_id}/clips/create/`, {
    name: "Bench clip",
    highlight_ids: [...detail.highlights]
      .sort((a, b) => b.score - a.score)
      .slice(0, 1)
      .map(({ id }) => id),
    render_settings: {},
  });
  await player.poll<Clip>(`/api/matches/clips/${clip.id}/status/`, (answer) => answer.render_status === "completed");
  await copyClips(services.database, clip.id, clips - 1);
  await copyMatches(services.database, detail.match_id, 8);

  return {
    url: product.url,
    bareUrl: bare.url,
    cookie: [...player.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    steamId,
    matchId: detail.match_id,
    clipId: clip.id,
    async close() {
      for (const { server } of [product, bare]) {
        server.closeAllConnections();
        server.close();
      }
      await close();
      await demos.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

type Database = Awaited<ReturnType<typeof openServices>>["services"]["database"];

/** Copies a completed clip; types, likes, views and scores differ by a fixed pattern so that every list is full. */
async function copyClips(database: Database, clipId: number, count: number): Promise<void> {
  await sql`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, progress, video_key, poster_key,
      video_bytes, duration_seconds, likes_count, views_count, score, highlight_types, created_at, completed_at)
    SELECT c.user_id, c.match_id, c.demo_sha256, c.name || ' ' || n, c.spec, c.settings, c.status, 1, c.video_key,
      c.poster_key, c.video_bytes, c.duration_seconds, (n * 7) % 90, (n * 13) % 900, (n * 31) % 150,
      ARRAY[(ARRAY['ace', 'clutch_1v3', 'taser_kill', 'no_scope', 'one_tap', 'ninja_defuse', 'quad_kill'])[1 + n % 7]],
      c.created_at - n * interval '1 minute', c.completed_at
    FROM clips c, generate_series(1, ${count}::int) n WHERE c.id = ${clipId}`.execute(database);
  await sql`
    INSERT INTO clip_highlights (clip_id, highlight_id, position)
    SELECT c.id, h.id, 0
    FROM clips c
    CROSS JOIN LATERAL (
      SELECT id FROM highlights h WHERE h.demo_sha256 = c.demo_sha256
      ORDER BY (h.type = c.highlight_types[1]) DESC, (h.id + c.id) % 97 LIMIT 1
    ) h
    WHERE c.id <> ${clipId}`.execute(database);
  await sql`ANALYZE`.execute(database);
}

/** Copies a match with its demo record, so that the list has a full page. */
async function copyMatches(database: Database, matchId: string, count: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_name = 'demos' AND column_name NOT IN ('sha256', 'map')`.execute(database);
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  await sql`
    INSERT INTO demos (sha256, map, ${columns})
    SELECT md5(n::text) || md5(n::text), (ARRAY['de_nuke', 'de_inferno', 'de_dust2', 'de_ancient', 'de_anubis', 'de_train',
      'de_overpass', 'de_vertigo'])[1 + n % 8], ${columns}
    FROM demos, generate_series(1, ${count}::int) n
    WHERE sha256 = (SELECT demo_sha256 FROM matches WHERE id = ${matchId})`.execute(database);
  await sql`
    INSERT INTO matches (id, user_id, demo_sha256, demo_url, source, status, progress, created_at, completed_at)
    SELECT 'bench' || n, user_id, md5(n::text) || md5(n::text), demo_url, source, status, 1,
      created_at - n * interval '1 hour', completed_at
    FROM matches, generate_series(1, ${count}::int) n WHERE id = ${matchId}`.execute(database);
}
