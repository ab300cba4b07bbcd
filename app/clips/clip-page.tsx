import { Link, useNavigate } from "@remix-run/react";
import { useMemo } from "react";
import type { ClipDetail, Highlight, MatchInfo } from "../../contract/api.ts";
import { clipFormatLabels } from "../../contract/clip-formats.ts";
import { highlightLabel } from "../../contract/highlight-types.ts";
import { lookUp } from "../../contract/look-up.ts";
import type { RenderStatus } from "../../contract/statuses.ts";
import { MatchHeading } from "../matches/shared/match-heading.tsx";
import { ConnectionNotice } from "../shell/asking/connection-notice.tsx";
import { Avatar } from "../shell/pieces/avatar.tsx";
import { DeleteClipButton } from "../shell/pieces/delete-button.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { LocalTime } from "../shell/pieces/local-time.tsx";
import { ProgressBar } from "../shell/pieces/progress-bar.tsx";
import { ClipFormats } from "./clip-formats.tsx";
import type { ClipSummary, ClipWithVideos } from "./clip-summary.ts";
import { LikeButton } from "./like-button.tsx";
import { ShareButton } from "./share-button.tsx";
import { ClipStatus } from "./shared/clip-status.tsx";
import { ClipVideo } from "./shared/clip-video.tsx";
import { usePolledClips } from "./shared/use-polled-clips.ts";

interface ClipPageProps {
  clip: ClipWithVideos;
  /** The name of the format that the address asks for. */
  format: string | null;
  match: MatchInfo;
  sharing: ClipDetail["sharing"];
  size: { width: number; height: number };
  highlights: Pick<Highlight, "id" | "highlight_type" | "display_name" | "player_name" | "round_number" | "reason">[];
  publicUrl: string;
}

export function ClipPage({ clip: loaded, format, match, sharing, size, highlights, publicUrl }: ClipPageProps) {
  const navigate = useNavigate();
  const polled = usePolledClips(useMemo(() => [loaded], [loaded]));
  const clip = polled.clips[0] ?? loaded;
  const isPlayable = clip.render_status === "completed" && clip.video_url !== null;
  const { formats = [], share_url: shareUrl, can_add_formats: canAdd = false } = clip;
  const ready = formats.filter((video) => video.video_url);
  const shown = ready.find((video) => video.format === format) ?? ready[0];
  const address = `${publicUrl}/clips/${clip.id}`;
  return (
    <article className="mx-auto grid max-w-6xl gap-6 lg:grid-cols-[1fr_19rem] lg:gap-x-8">
      <div className="lg:col-span-2">
        <MatchHeading match={match} as="p" />
      </div>
      <div className="min-w-0">
        {isPlayable ? (
          <ClipVideo
            key={shown?.format}
            clip={{ ...clip, ...(shown ? { video_url: shown.video_url, poster_url: shown.poster_url } : {}) }}
            size={shown ?? size}
            className="max-h-[85dvh] w-full rounded-2xl ring-1 ring-line max-sm:-mx-4 max-sm:w-[calc(100%+2rem)] max-sm:max-w-none max-sm:rounded-none"
          />
        ) : (
          <Waiting clip={clip} size={size} />
        )}
        <h1 className="mt-5 font-display text-3xl leading-tight font-bold break-words sm:text-4xl">
          {clip.display_name}
        </h1>
        <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2 text-fog">
          <ClipStatus status={clip.render_status} />
          <span className="flex items-center gap-2">
            <Icon name="eye" />
            <span className="tabular-nums">{clip.views_count.toLocaleString("en-US")}</span>
            {clip.views_count === 1 ? "view" : "views"}
          </span>
          <span>
            {clip.highlights_count} {clip.highlights_count === 1 ? "Highlight" : "Highlights"}
          </span>
          <LocalTime iso={clip.created_at} />
        </div>
        <div className="mt-5 flex flex-wrap items-center gap-3">
          <LikeButton clipId={clip.id} likes={clip.likes_count} isLiked={clip.user_has_liked} />
          <ShareButton title={sharing.title} url={address} />
          {ready.map((video, index) => (
            <a
              key={video.format}
              href={video.video_url ?? undefined}
              download={`clutchcast-${clip.id}${index === 0 ? "" : `-${video.format}`}.mp4`}
              className="btn btn-quiet"
            >
              <Icon name="download" />
              {ready.length === 1 ? "Download" : `Download ${clipFormatLabels[video.format]}`}
            </a>
          ))}
          {shareUrl ? (
            <a href={shareUrl} download={`clutchcast-${clip.id}-chat.mp4`} className="btn btn-quiet">
              <Icon name="download" />
              Download for chat (≤ 9.5 MB)
            </a>
          ) : null}
          {clip.is_owner ? <DeleteClipButton clip={clip} onDone={() => navigate("/clips", { replace: true })} /> : null}
        </div>
        {isPlayable ? (
          <ClipFormats clipId={clip.id} formats={formats} shown={shown} canAdd={canAdd} onAdded={polled.take} />
        ) : null}
      </div>
      <aside className="grid min-w-0 grid-cols-1 content-start gap-5">
        <Link
          to={`/users/${clip.user.steam_id}/clips`}
          className="panel panel-link flex items-center gap-3.5 p-4"
          aria-label={`by ${clip.user.username}, all clips`}
        >
          <Avatar url={clip.user.avatar_url} className="size-12 text-xl" />
          <span className="min-w-0">
            <span className="block truncate font-semibold">
              by <bdi>{clip.user.username}</bdi>
            </span>
            <span className="text-sm text-fog">All clips</span>
          </span>
          <Icon name="right" className="ml-auto size-5 text-haze" />
        </Link>
        {highlights.length > 0 ? (
          <section aria-labelledby="in-this-clip" className="panel p-4">
            <h2 id="in-this-clip" className="text-xl">
              In this clip
            </h2>
            <ol className="mt-3 grid gap-4">
              {highlights.map((highlight) => (
                <li key={highlight.id} className="border-l-2 border-flare pl-3">
                  <p className="font-semibold">
                    {highlight.display_name || highlightLabel(highlight.highlight_type)}
                    <span className="font-normal text-fog"> · Round {highlight.round_number}</span>
                  </p>
                  <p className="truncate text-sm text-fog">
                    <bdi>{highlight.player_name}</bdi>
                  </p>
                  <p className="mt-0.5 text-sm leading-snug text-haze">{highlight.reason}</p>
                </li>
              ))}
            </ol>
          </section>
        ) : null}
      </aside>
      <ConnectionNotice isLost={polled.isLost} />
    </article>
  );
}

const waitingTexts: Record<Exclude<RenderStatus, "completed">, string> = {
  processing: "Video is being processed...",
  failed: "Video processing failed",
  pending: "Video is queued for processing...",
  queued: "Video is queued for processing...",
};

function Waiting({ clip, size }: { clip: ClipSummary; size: { width: number; height: number } }) {
  const text = lookUp(waitingTexts, clip.render_status) ?? "Unknown";
  return (
    <div
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
      className="grid max-h-[85dvh] w-full place-content-center justify-items-center gap-4 rounded-2xl border border-line bg-[radial-gradient(circle_at_50%_35%,var(--color-deck-2),var(--color-ink)_70%)] p-6 text-center"
    >
      <Icon
        name={clip.render_status === "failed" ? "alert" : clip.render_status === "processing" ? "scan" : "clock"}
        className={`size-12 ${clip.render_status === "failed" ? "text-loss" : "text-ct"}`}
      />
      <div role="status">
        <p className="text-xl font-semibold">{text}</p>
        {clip.render_error ? <p className="mt-2 max-w-md text-fog">{clip.render_error}</p> : null}
      </div>
      {clip.render_status === "processing" ? (
        <div className="w-64 max-w-full">
          <ProgressBar value={clip.progress} label={text} />
        </div>
      ) : null}
    </div>
  );
}
