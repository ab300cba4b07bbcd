import { sql } from "kysely";
import { cleanClipName, cleanPlayerName } from "../../contract/clean-text.ts";
import { clipAddress } from "../../contract/clip-address.ts";
import { formatOfSize } from "../../contract/clip-formats.ts";
import { highlightLabel } from "../../contract/highlight-types.ts";
import { type Clip, type RenderSettings, renderSettingsSchema } from "../../contract/schemas/clips.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { MatchInfo } from "../../contract/schemas/match-info.ts";
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

/** Without `spec` and `moments`, which are large and which no list shows. */
const shownColumns = [
  ...(["id", "user_id", "match_id", "demo_sha256", "name", "settings", "status", "progress", "error"] as const),
  ...(["link_key", "made_for_you", "likes_count", "views_count", "duration_seconds", "created_at"] as const),
  ...(["video_key", "poster_key", "thumbnail_key", "wide_poster_key", "loop_key"] as const),
].map((column) => `clips.${column}` as const);

/**
 * Reads clips with everything that pages show of them. The number of queries does not depend on the number of clips.
 * @returns in the order of `ids`; ids of deleted clips are left out
 */
export async function readClips(services: Services, ids: readonly number[]): Promise<PublicClip[]> {
  if (ids.length === 0) return [];
  const rows = await clipRows(services, ids);
  if (rows.length === 0) return [];
  const chosen = await highlightRows(services, ids);
  // Highlights of a compilation come from several demos.
  const demos = await demosOf(services, [...rows, ...chosen]);
  const profiles = await profilesOfPlayers(
    services,
    [...demos.values()].map((demo) => demo.players),
  );
  const positions = await positionsOf(services, rows);
  const highlightsOf = groupBy(chosen, (row) => row.clip_id);
  const clips = new Map(
    rows.map((row): [number, PublicClip] => {
      const ofClip = highlightsOf.get(row.id) ?? [];
      const highlights = ofClip.map(({ clip_id: _, ...highlight }) =>
        presentHighlight(highlight, demos.get(highlight.demo_sha256)?.players ?? [], profiles),
      );
      const match =
        row.match_id === null
          ? compilationInfo(ofClip.flatMap(({ demo_sha256: demo }) => demos.get(demo) ?? []))
          : matchInfo(demos.get(row.demo_sha256 ?? "") ?? null, row, row.steam_id, row.imported_at);
      return [row.id, publicClip(row, match, highlights, positions.get(queueKey({ clipId: row.id })) ?? null)];
    }),
  );
  return ids.flatMap((id) => clips.get(id) ?? []);
}

function clipRows({ database }: Services, ids: readonly number[]) {
  return database
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
}

type ShownClipRow = Awaited<ReturnType<typeof clipRows>>[number];

function highlightRows({ database }: Services, clipIds: readonly number[]) {
  return database
    .selectFrom("clip_highlights")
    .innerJoin("highlights", "highlights.id", "clip_highlights.highlight_id")
    .modifyFront(keptPlan)
    .where("clip_highlights.clip_id", "=", anyOf(clipIds))
    .select(shownHighlightColumns.map((column) => `highlights.${column}` as const))
    .select("clip_highlights.clip_id")
    .orderBy("clip_highlights.clip_id")
    .orderBy("clip_highlights.position")
    .execute();
}

/** By SHA-256. */
async function demosOf({ database }: Services, rows: readonly { demo_sha256: string | null }[]) {
  const hashes = [...new Set(rows.flatMap((row) => row.demo_sha256 ?? []))];
  if (hashes.length === 0) return new Map<string, never>();
  const demos = await database
    .selectFrom("demos")
    .modifyFront(keptPlan)
    .select(["sha256", "map", "game_mode", "played_at", "players", "teams"])
    .where("sha256", "=", sql<string>`ANY(${hashes}::text[])`)
    .execute();
  return new Map(demos.map((demo) => [demo.sha256, demo]));
}

/** Positions in the render queue. Compilations wait in another queue, of seconds, and are told none. */
async function positionsOf(services: Services, rows: readonly ShownClipRow[]): Promise<ReadonlyMap<string, number>> {
  const waiting = rows.filter(({ status, match_id: matchId }) => {
    return matchId !== null && (status === "queued" || status === "pending");
  });
  if (waiting.length === 0) return new Map();
  return keptQueuePositions(
    services,
    waiting.map(({ id }) => ({ clipId: id })),
  );
}

function publicClip(
  row: ShownClipRow,
  match: MatchInfo,
  highlights: Highlight[],
  queuePosition: number | null,
): PublicClip {
  const completed = row.status === "completed" && row.video_key !== null;
  const name = clipTitle(row);
  const address = clipAddress(row.id, row.link_key);
  const fileUrl = (key: string | null, file: string) =>
    completed && key ? `/video/clips/${address}/${file}?v=${blobVersion(row.video_key)}` : null;
  return {
    ownerId: row.user_id,
    isMadeForOwner: row.made_for_you,
    clip: {
      ...match,
      id: row.id,
      public_id: address,
      visibility: row.link_key === null ? "public" : "unlisted",
      name,
      display_name: name,
      highlight_info: row.match_id === null ? compilationLine(highlights) : highlightLine(highlights),
      highlights,
      render_status: row.status,
      queue_position: queuePosition,
      progress: completed ? 1 : row.progress,
      render_error: completed ? null : row.error,
      render_settings: storedSettings(row.settings),
      video_url: fileUrl(row.video_key, ""),
      poster_url: fileUrl(row.poster_key, "poster.jpg"),
      thumbnail_url: fileUrl(row.thumbnail_key, "thumbnail.jpg"),
      wide_poster_url: fileUrl(row.wide_poster_key, "wide-poster.jpg"),
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
  };
}

type LabelledHighlight = Pick<Highlight, "highlight_type" | "display_name" | "round_number">;

const distinctLabels = (highlights: readonly LabelledHighlight[]) => [
  ...new Set(highlights.map(({ display_name: name, highlight_type: type }) => name || highlightLabel(type))),
];

/** One line on what a clip shows: "Ace · Round 4", "Ace, Wallbang · Rounds 4, 7". */
function highlightLine(highlights: readonly LabelledHighlight[]): string {
  const labels = distinctLabels(highlights);
  const rounds = [...new Set(highlights.map((highlight) => highlight.round_number))].sort((a, b) => a - b);
  if (labels.length === 0) return "";
  return `${labels.join(", ")} · ${rounds.length === 1 ? "Round" : "Rounds"} ${rounds.join(", ")}`;
}

/** One line on what a compilation shows: "Ace, Wallbang · Compilation". Rounds of several matches would say nothing. */
function compilationLine(highlights: readonly LabelledHighlight[]): string {
  const labels = distinctLabels(highlights);
  return [labels.slice(0, 3).join(", ") + (labels.length > 3 ? " …" : ""), "Compilation"].filter(Boolean).join(" · ");
}

/** What a clip is called: its name, unless nothing visible is left of that. */
export function clipTitle({ id, name }: Pick<ClipRow, "id" | "name">): string {
  return cleanClipName(name) || `Clip ${id}`;
}

/** Null while the clip has no loop. @param address the clip's `public_id` */
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
