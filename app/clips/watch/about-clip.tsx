import { Link, useNavigate } from "@remix-run/react";
import type { ReactNode } from "react";
import type { ClipVideo } from "../../../contract/schemas/clips.ts";
import { DeleteClipButton } from "../../shell/pieces/delete-button.tsx";
import { Icon } from "../../shell/pieces/icon.tsx";
import { latePart, nothing } from "../../shell/pieces/late-part.tsx";
import { LocalTime } from "../../shell/pieces/local-time.tsx";
import type { ClipWithVideos } from "../clip-summary.ts";
import { LikeButton } from "../like-button.tsx";
import { ClipName } from "../shared/clip-name.tsx";
import { ClipStatus } from "../shared/clip-status.tsx";
import { isPlayable } from "../shared/is-playable.ts";
import { Unlisted } from "../shared/unlisted.tsx";
import type { PolledClip } from "../shared/use-polled-clips.ts";

/** For clips with several formats, or whose owner may add some. */
const ClipFormats = latePart(() => import("../clip-formats.tsx"));
const PauseRefreshing = latePart(() => import("../../shell/on-demand/pause-refreshing.tsx"), nothing);
/** For clips that were made automatically. */
const MadeForYou = latePart(() => import("../made-for-you.tsx"), nothing);

interface AboutClipProps {
  clip: PolledClip;
  shown: ClipVideo | undefined;
  /** Reloads the page without JavaScript while something of the clip is being made; else null. */
  refreshSeconds: number | null;
  /** Why a format could not be added, from a form that was sent without JavaScript. */
  refusal: string | null;
  onAdded: (clip: ClipWithVideos) => void;
  /** What everybody can do with the clip besides liking it. */
  children: ReactNode;
}

/** The name, the figures and the actions of a clip. */
export function AboutClip({ clip, shown, refreshSeconds, refusal, onAdded, children }: AboutClipProps) {
  const { formats = [], can_add_formats: canAdd = false } = clip;
  return (
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
          <PauseRefreshing toDo={isPlayable(clip) ? "watch" : "read"} />
        </noscript>
      ) : null}
      <div className="clip-actions relative mt-5 flex flex-wrap items-start gap-3 max-sm:gap-2">
        <LikeButton publicId={clip.public_id} likes={clip.likes_count} isLiked={clip.user_has_liked} />
        {children}
        {clip.is_owner ? <OwnerActions clip={clip} /> : null}
      </div>
      {isPlayable(clip) && (formats.length > 1 || canAdd || refusal) ? (
        <ClipFormats
          publicId={clip.public_id}
          formats={formats}
          shown={shown}
          canAdd={canAdd}
          refusal={refusal}
          onAdded={onAdded}
        />
      ) : null}
    </div>
  );
}

function OwnerActions({ clip }: { clip: PolledClip }) {
  const navigate = useNavigate();
  return (
    <span className="flex gap-1">
      {isPlayable(clip) ? (
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
  );
}
