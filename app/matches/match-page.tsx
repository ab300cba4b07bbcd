import { Link, useLocation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import { limits } from "../../contract/limits.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import type { ClipSummary } from "../clips/clip-summary.ts";
import type { CreateClipResult } from "../clips/create-clip-result.ts";
import { usePolledClips } from "../clips/shared/use-polled-clips.ts";
import { HighlightForm } from "../highlights/highlight-form.tsx";
import type { HighlightSummary } from "../highlights/highlight-summary.ts";
import type { MatchStates } from "../routes/matches.status.tsx";
import { ConnectionNotice } from "../shell/asking/connection-notice.tsx";
import { usePolling } from "../shell/asking/use-polling.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { latePart, nothing } from "../shell/pieces/late-part.tsx";
import type { MatchSummary } from "./match-summary.ts";
import { isSettled } from "./shared/is-settled.ts";
import { MatchHeading } from "./shared/match-heading.tsx";

/** Of a match that is still imported, or could not be. */
const NoHighlights = latePart(() => import("./no-highlights.tsx"));
const PauseRefreshing = latePart(() => import("../shell/on-demand/pause-refreshing.tsx"), nothing);
/** Of one whose pictures are still being made. */
const ComingPictures = latePart(() => import("../replay/coming-pictures.tsx"), nothing);
/** Most matches that are looked at have no clips yet. */
const loadCreatedClips = () => import("../clips/created-clips.tsx");
const CreatedClips = latePart(loadCreatedClips);

interface MatchPageProps {
  match: MatchSummary;
  highlights: HighlightSummary[];
  playersByTeam: MatchDetail["players_by_team"];
  canCreateClips: boolean;
  picturesUrl: string | null;
  /** Of a new clip, unless another is chosen. */
  defaultFormat: ClipFormat;
  clips: ClipSummary[];
  isRunning: boolean;
  formResult: CreateClipResult | null;
}

export function MatchPage(props: MatchPageProps) {
  const { match, highlights } = props;
  const { pathname } = useLocation();
  const { revalidate } = useRevalidator();
  const { clips, isLost } = usePolledClips(props.clips);
  const [comePictures, setPicturesUrl] = useState<string | null>(null);
  const picturesUrl = props.picturesUrl ?? comePictures;
  const [madeClip, setMadeClip] = useState<number | null>(null);
  // Here before the first clip is created.
  useEffect(() => void loadCreatedClips().catch(() => {}), []);
  const hasClips = clips.length > 0;
  const hadClips = useRef(hasClips);
  useEffect(() => {
    // The last one took its list along, and the focus with it.
    if (hadClips.current && !hasClips) document.getElementById("content")?.focus({ preventScroll: true });
    hadClips.current = hasClips;
  }, [hasClips]);
  const isImporting = !isSettled(match.processing);
  const isImportLost = usePolling<MatchStates>(
    isImporting ? `/matches/status?id=${encodeURIComponent(match.match_id)}` : null,
    limits.matchStatusPollMs,
    revalidate,
  );
  return (
    <>
      <Link to="/my-matches" className="btn btn-quiet mb-6">
        <Icon name="back" />
        Back
      </Link>
      <header className="panel flex flex-wrap items-center gap-x-6 gap-y-4 p-5 sm:p-7">
        <div className="min-w-0 flex-1 basis-72">
          {/* A demo does not say when it was played: without a provider's word, when it was imported. */}
          <MatchHeading match={match} as="h1" />
        </div>
        {props.canCreateClips ? (
          <Link to={`/matches/${match.match_id}/replay`} className="btn btn-quiet">
            <Icon name="play" />
            Watch the match
          </Link>
        ) : null}
        {match.demo_url && match.processing.status !== "failed" ? (
          <a href={match.demo_url} className="btn btn-quiet" rel="noreferrer">
            <Icon name="download" />
            Download Demo File
          </a>
        ) : null}
      </header>
      {props.isRunning ? (
        <noscript>
          <PauseRefreshing toDo="choose highlights" form={highlights.length > 0 ? "highlights" : undefined} />
        </noscript>
      ) : null}

      {hasClips ? <CreatedClips clips={clips} focusOn={madeClip} /> : null}

      <section aria-labelledby="highlights-heading" className="mt-12">
        <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1">
          <h2 id="highlights-heading" className="title-2">
            Match Highlights ({highlights.length})
          </h2>
          <Link
            reloadDocument
            to="/highlights/about"
            className="link inline-flex min-h-11 items-center text-sm text-fog"
          >
            What counts as a highlight
          </Link>
        </div>
        {highlights.length > 0 ? (
          <HighlightForm
            matchPath={pathname}
            replayPath={`/matches/${match.match_id}`}
            highlights={highlights}
            playersByTeam={props.playersByTeam}
            canCreateClips={props.canCreateClips}
            picturesUrl={picturesUrl}
            defaultFormat={props.defaultFormat}
            clips={clips}
            formResult={props.formResult}
            onMade={setMadeClip}
          />
        ) : (
          <NoHighlights match={match} isImporting={isImporting} result={props.formResult} />
        )}
      </section>
      {props.canCreateClips && !picturesUrl ? (
        <ComingPictures matchId={match.match_id} onCome={setPicturesUrl} />
      ) : null}
      <ConnectionNotice isLost={isLost || isImportLost} />
    </>
  );
}
