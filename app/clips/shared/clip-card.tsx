import { Link } from "@remix-run/react";
import { DeleteClipButton } from "../../shell/pieces/delete-button.tsx";
import { latePart, nothing } from "../../shell/pieces/late-part.tsx";
import { LocalTime } from "../../shell/pieces/local-time.tsx";
import { ProgressBar } from "../../shell/pieces/progress-bar.tsx";
import type { ClipSummary } from "../clip-summary.ts";
import { ClipName } from "./clip-name.tsx";
import { RenderingText } from "./clip-progress.tsx";
import { ClipStatus } from "./clip-status.tsx";
import { Counters } from "./counters.tsx";
import { isPlayable } from "./is-playable.ts";
import { ListedClipVideo } from "./listed-clip-video.tsx";
import { Unlisted } from "./unlisted.tsx";

/** Of few clips. */
const MadeForYou = latePart(() => import("../made-for-you.tsx"), nothing);

interface ClipCardProps {
  clip: ClipSummary;
  /** The first of its page: its poster is what the reader waits for. */
  isFirst?: boolean;
  /** Given where the clip may be deleted. */
  onDeleted?: (() => void) | undefined;
}

/** A clip in a list: video or status, name, highlight count, date, likes and views. The card leads to the clip. */
export function ClipCard({ clip, isFirst = false, onDeleted }: ClipCardProps) {
  return (
    <article className="panel panel-link relative flex flex-col overflow-hidden">
      {isPlayable(clip) ? <ListedClipVideo clip={clip} isFirst={isFirst} /> : <ClipWaiting clip={clip} />}
      <div className="flex flex-1 flex-col gap-2 p-4">
        <div className="flex items-start gap-2">
          <h3 className="line-clamp-2 flex-1 text-lg break-words">
            <Link to={`/clips/${clip.id}`} className="cover-link">
              <ClipName name={clip.display_name} />
            </Link>
          </h3>
          {onDeleted ? (
            <span className="-mt-2 -mr-2">
              <DeleteClipButton clip={clip} onDone={onDeleted} />
            </span>
          ) : null}
        </div>
        {clip.made_for_you ? <MadeForYou address={clip.public_id} name={clip.display_name} /> : null}
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-fog">
          <span>
            {clip.highlights_count} {clip.highlights_count === 1 ? "Highlight" : "Highlights"}
          </span>
          {clip.visibility === "unlisted" ? <Unlisted /> : null}
          <Counters likes={clip.likes_count} views={clip.views_count} />
          <LocalTime iso={clip.created_at} className="w-full text-haze" />
        </div>
      </div>
    </article>
  );
}

function ClipWaiting({ clip }: { clip: ClipSummary }) {
  return (
    <div className="grid aspect-video place-content-center gap-3 bg-[radial-gradient(circle_at_50%_40%,var(--color-deck-2),var(--color-ink))] p-6 text-center">
      <div role="status" className="justify-self-center text-lg">
        <ClipStatus status={clip.render_status} queuePosition={clip.queue_position} />
      </div>
      {clip.render_status === "processing" ? (
        <div className="grid w-52 gap-1.5">
          <RenderingText clip={clip} />
          <ProgressBar value={clip.progress} label={`Rendering ${clip.display_name}`} />
        </div>
      ) : null}
      {clip.render_error ? (
        <p className={`text-sm ${clip.render_status === "failed" ? "text-loss" : "text-fog"}`}>{clip.render_error}</p>
      ) : null}
    </div>
  );
}
