import { Link, useLocation } from "@remix-run/react";
import { useCallback, useMemo, useRef } from "react";
import type { ClipDetail } from "../../contract/schemas/clips.ts";
import type { MatchInfo } from "../../contract/schemas/match-info.ts";
import { MatchHeading } from "../matches/shared/match-heading.tsx";
import { ConnectionNotice } from "../shell/asking/connection-notice.tsx";
import { versionOf } from "../shell/clip-link.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { latePart } from "../shell/pieces/late-part.tsx";
import type { ClipWithVideos } from "./clip-summary.ts";
import { usePolledClips } from "./shared/use-polled-clips.ts";
import { AboutClip } from "./watch/about-clip.tsx";
import { Downloads, filesOf } from "./watch/downloads.tsx";
import { InThisClip, type ShownHighlight } from "./watch/in-this-clip.tsx";
import { MakerLink } from "./watch/maker-link.tsx";
import { RelatedClips, type SmallClip } from "./watch/related-clips.tsx";
import { SharePanel } from "./watch/share-panel.tsx";
import { hundredths, startTime } from "./watch/start-time.ts";
import { useShareFile } from "./watch/use-share-file.ts";
import { WatchStage } from "./watch/watch-stage.tsx";

const CompilationParts = latePart(() => import("./compilation/compilation-parts.tsx"));

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

/** The page on which a clip is watched. */
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
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const polled = usePolledClips(useMemo(() => [loaded], [loaded]));
  const clip = polled.clips[0] ?? loaded;
  const { formats = [], marks = [], duration_seconds: length } = clip;
  const parts = clip.parts ?? loaded.parts;
  const shareUrl = useShareFile(clip, clip.share_url ?? null);
  const ready = formats.filter((format) => format.video_url);
  const shown = ready.find(({ format }) => format === query.get("format")) ?? ready[0];
  const otherFormat = shown === ready[0] ? undefined : shown?.format;
  const startSeconds = startTime(query.get("t"), length);
  const files = filesOf(clip.id, ready, shareUrl);
  const video = useRef<HTMLVideoElement>(null);

  const jump = useCallback((seconds: number) => {
    const player = video.current;
    if (!player) return;
    player.currentTime = seconds;
    void player.play().catch(() => {});
    player.scrollIntoView({ block: "nearest" });
  }, []);

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
      <WatchStage
        clip={clip}
        video={video}
        shown={shown}
        size={size}
        startSeconds={startSeconds}
        next={ofMaker[0] ?? ofMap[0]}
        onJump={jump}
      />
      <AboutClip clip={clip} shown={shown} refreshSeconds={refreshSeconds} refusal={refusal} onAdded={polled.take}>
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
      </AboutClip>
      <aside className="watch-side grid min-w-0 grid-cols-1 content-start gap-5">
        <MakerLink user={clip.user} />
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
