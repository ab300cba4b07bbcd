import { sql } from "kysely";
import { cleanClipName, cleanPlayerName } from "../../contract/clean-text.ts";
import { clipAddress } from "../../contract/clip-address.ts";
import { formatOfSize } from "../../contract/clip-formats.ts";
import { highlightLabel } from "../../contract/highlight-types.ts";
import type { Clip, RenderSettings } from "../../contract/schemas/clips.ts";
import { renderSettingsSchema } from "../../contract/schemas/clips.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import { groupBy } from "../group-by.ts";
import { compilationInfo, matchInfo } from "../matches/match-info.ts";
import { profilesOfPlayers } from "../matches/player-profiles.ts";
import { presentHighlight, shownHighlightColumns } from "../matches/present-highlight.ts";
import type { Services } from "../services.ts";
import { anyOf } from "../storage/any-of.ts";
import { keptPlan } from "../storage/kept-plan.ts";
import type { ClipRow } from "../storage/schema.ts";
import { keptQueuePositions, queueKey } from "./queue-positions.ts";

/** A clip as everybody sees it, and who made it: what depends on the visitor is added by `clipForViewer`. */
export interface PublicClip {
  ownerId: number;
  /** Nobody pressed for it: told to its owner alone. */
  isMadeForOwner: boolean;
  clip: Clip;
}

/** Without what a list would only carry along: what is drawn, and when it shows what. */
const shownColumns = [
  ...(["id", "user_id", "match_id", "demo_sha256", "name", "settings", "status", "progress", "error"] as const),
  ...(["link_key", "made_for_you", "likes_count", "views_count", "duration_seconds", "created_at"] as const),
  ...(["video_key", "poster_key", "thumbnail_key", "wide_poster_key", "loop_key"] as const),
].map((column) => `clips.${column}` as const);

/**
 * Reads clips with all that pages show of them, in a fixed number of queries however many there are.
 * @returns in the order of `ids`; ids of deleted clips are left out
 */
export async function readClips(services: Services, ids: readonly number[]): Promise<PublicClip[]> {
  if (ids.length === 0) return [];
  const { database } = services;
  const rows = await database
    .selectFrom("clips")
    .innerJoin("users", "users.id", "clips.user_id")
    .leftJoin("matches", "matches.id", "clips.match_id")
    .modifyFront(keptPlan)
    .where("clips.id", "=", anyOf(ids))
    .select(shownColumns)
    .select([
      sql<number>`(clips.spec ->> 'width')::int`.as("width"),
      sql<number>`(clips.spec ->> 'height')::int`.as("height"),
      "users.steam_id",
      "users.steam_name",
      "users.avatar_url",
      "matches.provider_map",
      "matches.provider_game_mode",
      "matches.provider_score1",
      "matches.provider_score2",
      "matches.provider_played_at",
      "matches.created_at as imported_at",
    ])
    .execute();
  if (rows.length === 0) return [];
  const chosen = await database
    .selectFrom("clip_highlights")
    .innerJoin("highlights", "highlights.id", "clip_highlights.highlight_id")
    .modifyFront(keptPlan)
    .where("clip_highlights.clip_id", "=", anyOf(ids))
    .select(shownHighlightColumns.map((column) => `highlights.${column}` as const))
    .select("clip_highlights.clip_id")
    .orderBy("clip_highlights.clip_id")
    .orderBy("clip_highlights.position")
    .execute();
  // Highlights of a compilation are of several demos.
  const demoIds = [...new Set([...rows, ...chosen].flatMap((row) => row.demo_sha256 ?? []))];
  const demoRows =
    demoIds.length === 0
      ? []
      : await database
          .selectFrom("demos")
          .modifyFront(keptPlan)
          .select(["sha256", "map", "game_mode", "played_at", "players", "teams"])
          .where("sha256", "=", sql<string>`ANY(${demoIds}::text[])`)
          .execute();
  const demos = new Map(demoRows.map((demo) => [demo.sha256, demo]));
  const profiles = await profilesOfPlayers(
    services,
    demoRows.map((demo) => demo.players),
  );
  // Compilations have no place in this line.
  const waiting = rows.filter(
    ({ status, match_id }) => match_id !== null && (status === "queued" || status === "pending"),
  );
  const positions =
    waiting.length > 0
      ? await keptQueuePositions(
          services,
          waiting.map(({ id }) => ({ clipId: id })),
        )
      : new Map<string, number>();

  const highlights = groupBy(chosen, (row) => row.clip_id);
  const clips = new Map(
    rows.map((row): [number, PublicClip] => {
      const own = (highlights.get(row.id) ?? []).map(({ clip_id: _, ...highlight }) =>
        presentHighlight(highlight, demos.get(highlight.demo_sha256)?.players ?? [], profiles),
      );
      const isCompilation = row.match_id === null;
      const completed = row.status === "completed" && row.video_key !== null;
      const name = clipTitle(row);
      const address = clipAddress(row.id, row.link_key);
      const version = completed ? `?v=${blobVersion(row.video_key)}` : "";
      return [
        row.id,
        {
          ownerId: row.user_id,
          isMadeForOwner: row.made_for_you,
          clip: {
            ...(isCompilation
              ? compilationInfo((highlights.get(row.id) ?? []).flatMap((one) => demos.get(one.demo_sha256) ?? []))
              : matchInfo(demos.get(row.demo_sha256 ?? "") ?? null, row, row.steam_id, row.imported_at)),
            id: row.id,
            public_id: address,
            visibility: row.link_key === null ? "public" : "unlisted",
            name,
            display_name: name,
            highlight_info: isCompilation ? compilationLine(own) : highlightInfo(own),
            highlights: own,
            render_status: row.status,
            queue_position: positions.get(queueKey({ clipId: row.id })) ?? null,
            progress: completed ? 1 : row.progress,
            render_error: completed ? null : row.error,
            render_settings: storedSettings(row.settings),
            video_url: completed ? `/video/clips/${address}/${version}` : null,
            poster_url: completed && row.poster_key ? `/video/clips/${address}/poster.jpg${version}` : null,
            thumbnail_url: completed && row.thumbnail_key ? `/video/clips/${address}/thumbnail.jpg${version}` : null,
            wide_poster_url:
              completed && row.wide_poster_key ? `/video/clips/${address}/wide-poster.jpg${version}` : null,
            loop_url: completed ? loopUrl(address, row.loop_key) : null,
            duration_seconds: row.duration_seconds,
            format: formatOfSize(row),
            width: row.width,
            height: row.height,
            created_at: row.created_at.toISOString(),
            likes_count: row.likes_count,
            views_count: row.views_count,
            user_has_liked: false,
            is_owner: false,
            match_id: row.match_id,
            user: {
              steam_id: row.steam_id,
              username: cleanPlayerName(row.steam_name) || row.steam_id,
              avatar_url: row.avatar_url,
            },
          },
        },
      ];
    }),
  );
  return ids.flatMap((id) => clips.get(id) ?? []);
}

/** One line on what a clip shows: "Ace · Round 4", "Ace, Wallbang · Rounds 4, 7". */
function highlightInfo(
  highlights: readonly Pick<Highlight, "highlight_type" | "display_name" | "round_number">[],
): string {
  const labels = [
    ...new Set(highlights.map((highlight) => highlight.display_name || highlightLabel(highlight.highlight_type))),
  ];
  const rounds = [...new Set(highlights.map((highlight) => highlight.round_number))].sort((a, b) => a - b);
  if (labels.length === 0) return "";
  return `${labels.join(", ")} · ${rounds.length === 1 ? "Round" : "Rounds"} ${rounds.join(", ")}`;
}

/** One line on what a compilation shows: "Ace, Wallbang · Compilation". Rounds of several matches say nothing. */
function compilationLine(highlights: readonly Pick<Highlight, "highlight_type" | "display_name">[]): string {
  const labels = [
    ...new Set(highlights.map((highlight) => highlight.display_name || highlightLabel(highlight.highlight_type))),
  ];
  return [labels.slice(0, 3).join(", ") + (labels.length > 3 ? " …" : ""), "Compilation"].filter(Boolean).join(" · ");
}

/** What a clip is called: its name, as far as something of it can be seen. */
export function clipTitle({ id, name }: Pick<ClipRow, "id" | "name">): string {
  return cleanClipName(name) || `Clip ${id}`;
}

/** Where the loop of a clip is, as long as the clip has one. @param address the clip's `public_id` */
export function loopUrl(address: string, loopKey: string | null): string | null {
  return loopKey && `/video/clips/${address}/loop.mp4?v=${blobVersion(loopKey)}`;
}

/** The part of a blob key that changes with the content, e.g. `3f2a` of `clips/12/video-3f2a.mp4`. */
export function blobVersion(key: string | null): string {
  return key?.match(/-([^-./]+)\.[a-z0-9]+$/)?.[1] ?? "0";
}

function storedSettings(settings: object): RenderSettings {
  const parsed = renderSettingsSchema.safeParse(settings);
  return parsed.success ? parsed.data : renderSettingsSchema.parse({});
}
