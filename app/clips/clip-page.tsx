import { Link, useLocation, useNavigate } from "@remix-run/react";
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from "react";
import { clipFormatLabels } from "../../contract/clip-formats.ts";
import type { ClipDetail } from "../../contract/schemas/clips.ts";
import type { MatchInfo } from "../../contract/schemas/match-info.ts";
import { MatchHeading } from "../matches/shared/match-heading.tsx";
import { ConnectionNotice } from "../shell/asking/connection-notice.tsx";
import { versionOf } from "../shell/clip-link.ts";
import { lengthText } from "../shell/clock-text.ts";
import { Avatar } from "../shell/pieces/avatar.tsx";
import { DeleteClipButton } from "../shell/pieces/delete-button.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { latePart, nothing } from "../shell/pieces/late-part.tsx";
import { LocalTime } from "../shell/pieces/local-time.tsx";
import type { ClipWithVideos } from "./clip-summary.ts";
import { LikeButton } from "./like-button.tsx";
import { ClipName } from "./shared/clip-name.tsx";
import { ClipStatus } from "./shared/clip-status.tsx";
import { ClipVideo } from "./shared/clip-video.tsx";
import { Unlisted } from "./shared/unlisted.tsx";
import { usePolledClips } from "./shared/use-polled-clips.ts";
import { InThisClip, type ShownHighlight } from "./watch/in-this-clip.tsx";
import { RelatedClips, type SmallClip } from "./watch/related-clips.tsx";
import { type SharedFile, SharePanel } from "./watch/share-panel.tsx";
import { hundredths, startTime } from "./watch/start-time.ts";
import { useShareFile } from "./watch/use-share-file.ts";
import { nextMark, WatchBar } from "./watch/watch-bar.tsx";

/** For clips that are not finished. */
const Waiting = latePart(() => import("./watch/waiting.tsx"));
/** For clips with several formats, or whose owner may add some. */
const ClipFormats = latePart(() => import("./clip-formats.tsx"));
const PauseRefreshing = latePart(() => import("../shell/on-demand/pause-refreshing.tsx"), nothing);
const CompilationParts = latePart(() => import("./compilation/compilation-parts.tsx"));
/** For clips that were made automatically. */
const MadeForYou = latePart(() => import("./made-for-you.tsx"), nothing);
/** Needed only at the end of the video. */
const UpNext = latePart(() => import("./watch/up-next.tsx"), nothing);

interface ClipPageProps {
  clip: ClipWithVideos;
  match: MatchInfo;
  sharing: ClipDetail["sharing"];
  size: { width: number; height: number };
  highlights: ShownHighlight[];
  ofMaker: SmallClip[];
  ofMap: SmallClip[];
  publicUrl: string;
  /** Reloads the page without JavaScript while something of the clip is being made; else null. */
  refreshSeconds: number | null;
  /** Why a format could not be added, from a form that was sent without JavaScript. */
  refusal: string | null;
}

export function ClipPage({
  clip: loaded,
  match,
  sharing,
  size,
  highlights,
  ofMaker,
  ofMap,
  publicUrl,
  refreshSeconds,
  refusal,
}: ClipPageProps) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const polled = usePolledClips(useMemo(() => [loaded], [loaded]));
  const clip = polled.clips[0] ?? loaded;
  const isPlayable = clip.render_status === "completed" && clip.video_url !== null;
  const { formats = [], can_add_formats: canAdd = false, marks = [] } = clip;
  const shareUrl = useShareFile(clip, clip.share_url ?? null);
  const ready = formats.filter((video) => video.video_url);
  const shown = ready.find((video) => video.format === query.get("format")) ?? ready[0];
  const otherFormat = shown === ready[0] ? undefined : shown?.format;
  const length = clip.duration_seconds;
  const startSeconds = startTime(query.get("t"), length);
  const video = useRef<HTMLVideoElement>(null);
  const [phase, setPhase] = useState<"new" | "played" | "ended">("new");
  const [phaseOf, setPhaseOf] = useState(shown?.format);
  // Another format is another video, at its beginning.
  if (phaseOf !== shown?.format) {
    setPhaseOf(shown?.format);
    setPhase("new");
  }
  const next = ofMaker[0] ?? ofMap[0];
  const parts = clip.parts ?? loaded.parts;

  const jump = useCallback((seconds: number) => {
    const player = video.current;
    if (!player) return;
    player.currentTime = seconds;
    void player.play().catch(() => {});
    player.scrollIntoView({ block: "nearest" });
  }, []);

  /** Handles single letters only while the focus is within the player (WCAG 2.1.4). */
  function onKeyDown(event: KeyboardEvent) {
    const key = event.key.toLowerCase();
    if ((key !== "n" && key !== "p") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLSelectElement) return;
    const seconds = nextMark(marks, video.current?.currentTime ?? 0, key === "n" ? 1 : -1);
    if (seconds !== null) jump(seconds);
  }

  const files: SharedFile[] = [
    ...ready.map((file, index) => ({
      label: clipFormatLabels[file.format],
      url: file.video_url ?? "",
      name: `clutchcast-${clip.id}${index === 0 ? "" : `-${file.format}`}.mp4`,
    })),
    ...(shareUrl ? [{ label: "for chat (≤ 9.5 MB)", url: shareUrl, name: `clutchcast-${clip.id}-chat.mp4` }] : []),
  ];

  const addressAt = useCallback(
    (seconds: number) => `${pathname}?${otherFormat ? `format=${otherFormat}&` : ""}t=${hundredths(seconds)}`,
    [pathname, otherFormat],
  );
  return (
    <article className="watch">
      {/* Hidden, or it would be a row of the grid. */}
      <noscript className="hidden">
        {/* Hides what needs a script. The media query `scripting` would do, but browsers before 2023 do not know it. */}
        <style>{".js-only{display:none!important}"}</style>
      </noscript>
      <div className="watch-match">
        <MatchHeading
          match={match}
          as="p"
          action={
            clip.is_owner && clip.match_id ? (
              <Link to={`/matches/${clip.match_id}`} className="btn btn-quiet max-sm:px-2.5">
                {/* On phones the video is to stand high on the page. */}
                <span className="max-sm:sr-only">The match</span>
                <Icon name="right" />
              </Link>
            ) : null
          }
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys for what is in it; each has a button besides. */}
      <div className="watch-stage grid min-w-0 gap-3" onKeyDown={onKeyDown}>
        {isPlayable ? (
          <>
            <div className="relative max-sm:-mx-4">
              <ClipVideo
                key={shown?.format}
                ref={video}
                clip={{ ...clip, ...(shown ? { video_url: shown.video_url, poster_url: shown.poster_url } : {}) }}
                size={shown ?? size}
                startSeconds={startSeconds}
                onPlaying={() => setPhase("played")}
                onEnded={() => setPhase("ended")}
                className="max-h-[min(85dvh,calc(100dvh-7rem))] w-full rounded-2xl ring-1 ring-line max-sm:rounded-none"
              />
              {phase === "new" && length ? (
                <span
                  aria-hidden="true"
                  className="figure pointer-events-none absolute top-3 right-3 rounded bg-void/80 px-2 text-lg"
                >
                  {lengthText(length)}
                </span>
              ) : null}
              {phase === "ended" && next ? (
                <UpNext next={next} video={video} onClose={() => setPhase("played")} />
              ) : null}
            </div>
            <WatchBar video={video} format={shown?.format} marks={marks} durationSeconds={length} onJump={jump} />
            <p role="status" className="sr-only">
              {phase === "ended" && next ? `The clip has ended. Up next: ${next.display_name}` : ""}
            </p>
          </>
        ) : (
          <Waiting clip={clip} size={size} />
        )}
      </div>
      <div className="watch-about min-w-0">
        <h1 className="font-display text-3xl leading-tight font-bold wrap-anywhere sm:text-4xl">
          <ClipName name={clip.display_name} />
        </h1>
        <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2 text-fog">
          <ClipStatus status={clip.render_status} />
          {clip.visibility === "unlisted" ? <Unlisted /> : null}
          <span className="flex items-center gap-2">
            <Icon name="eye" />
            <span className="tabular-nums">
              {clip.views_count.toLocaleString("en-US")} {clip.views_count === 1 ? "view" : "views"}
            </span>
          </span>
          <span>
            {clip.highlights_count} {clip.highlights_count === 1 ? "Highlight" : "Highlights"}
          </span>
          <LocalTime iso={clip.created_at} />
          {clip.made_for_you ? <MadeForYou address={clip.public_id} name={clip.display_name} /> : null}
        </div>
        {refreshSeconds ? (
          <noscript>
            <PauseRefreshing toDo={isPlayable ? "watch" : "read"} />
          </noscript>
        ) : null}
        <div className="clip-actions relative mt-5 flex flex-wrap items-start gap-3 max-sm:gap-2">
          <LikeButton publicId={clip.public_id} likes={clip.likes_count} isLiked={clip.user_has_liked} />
          <SharePanel
            title={sharing.title}
            address={`${publicUrl}/clips/${clip.public_id}`}
            version={versionOf(shareUrl ?? clip.video_url)}
            size={shown ?? size}
            format={otherFormat}
            durationSeconds={length}
            startSeconds={startSeconds}
            isOpen={query.get("share") === "open"}
            files={files}
          />
          {files.length > 0 ? <Downloads files={files} /> : null}
          {clip.is_owner ? (
            <span className="flex gap-1">
              {isPlayable ? (
                <Link to={`/clips/${clip.id}/edit`} className="btn btn-quiet">
                  <Icon name="pencil" />
                  Edit
                </Link>
              ) : null}
              {clip.match_id ? (
                <Link to={`/clips/${clip.id}/record`} className="btn btn-quiet">
                  Record in game
                </Link>
              ) : null}
              <DeleteClipButton clip={clip} onDone={() => navigate("/clips", { replace: true })} />
            </span>
          ) : null}
        </div>
        {isPlayable && (formats.length > 1 || canAdd || refusal) ? (
          <ClipFormats
            publicId={clip.public_id}
            formats={formats}
            shown={shown}
            canAdd={canAdd}
            refusal={refusal}
            onAdded={polled.take}
          />
        ) : null}
      </div>
      <aside className="watch-side grid min-w-0 grid-cols-1 content-start gap-5">
        <Link
          to={`/users/${clip.user.steam_id}/clips`}
          className="panel panel-link flex items-center gap-3.5 p-4"
          aria-label={`by ${clip.user.username}, all clips`}
        >
          <Avatar url={clip.user.avatar_url} of={clip.user.steam_id} className="size-12 text-xl" />
          <span className="min-w-0">
            <span className="block truncate font-semibold">
              by <bdi>{clip.user.username}</bdi>
            </span>
            <span className="text-sm text-fog">All clips</span>
          </span>
          <Icon name="right" className="ml-auto size-5 text-haze" />
        </Link>
        {parts.length > 0 ? <CompilationParts parts={parts} addressAt={addressAt} onJump={jump} /> : null}
        {highlights.length > 0 ? (
          <InThisClip highlights={highlights} marks={marks} addressAt={addressAt} onJump={jump} />
        ) : null}
      </aside>
      {ofMaker.length + ofMap.length > 0 ? (
        <div className="watch-more grid min-w-0 gap-8">
          <RelatedClips id="more-of-maker" title="More clips of this player" clips={ofMaker} />
          <RelatedClips id="more-of-map" title={`More clips on ${match.map_display_name}`} clips={ofMap} />
        </div>
      ) : null}
      <ConnectionNotice isLost={polled.isLost} />
    </article>
  );
}

/** One button, however many files there are. */
function Downloads({ files }: { files: readonly SharedFile[] }) {
  return (
    <details className="relative">
      <summary className="btn btn-quiet list-none [&::-webkit-details-marker]:hidden">
        <Icon name="download" />
        Download
        <Icon name="down" className="size-4" />
      </summary>
      <ul className="panel z-20 mt-2 grid min-w-56 p-1.5 shadow-2xl sm:absolute sm:top-full sm:left-0">
        {files.map(({ label, url, name }) => (
          <li key={url}>
            <a
              href={url}
              download={name}
              className="flex min-h-11 items-center rounded-lg px-3 font-semibold hover:bg-white/5"
            >
              <span className="sr-only">Download </span>
              <span className="inline-block first-letter:uppercase">{label}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
