import { Link, useLocation, useRevalidator, useSearchParams } from "@remix-run/react";
import type { MatchDetail } from "../../contract/api.ts";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import { limits } from "../../contract/limits.ts";
import type { ClipSummary } from "../clips/clip-summary.ts";
import type { CreateClipResult } from "../clips/create-clip-result.ts";
import { CreatedClips } from "../clips/created-clips.tsx";
import { usePolledClips } from "../clips/shared/use-polled-clips.ts";
import { HighlightForm } from "../highlights/highlight-form.tsx";
import type { HighlightSummary } from "../highlights/highlight-summary.ts";
import type { MatchStates } from "../routes/matches.status.tsx";
import { ConnectionNotice } from "../shell/asking/connection-notice.tsx";
import { usePolling } from "../shell/asking/use-polling.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { ProgressBar } from "../shell/pieces/progress-bar.tsx";
import type { MatchSummary } from "./match-summary.ts";
import { MatchHeading } from "./shared/match-heading.tsx";
import { isSettled } from "./shared/match-polling.ts";

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
  const [query] = useSearchParams();
  const { revalidate } = useRevalidator();
  const { clips, isLost } = usePolledClips(props.clips);
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
          <MatchHeading match={{ ...match, match_date: match.match_date ?? match.created_at }} as="h1" />
        </div>
        {props.canCreateClips ? (
          <Link to={`/matches/${match.match_id}/replay`} className="btn btn-quiet">
            <Icon name="play" />
            Watch the match
          </Link>
        ) : null}
        {match.demo_url ? (
          <a href={match.demo_url} className="btn btn-quiet" rel="noreferrer">
            <Icon name="download" />
            Download Demo File
          </a>
        ) : null}
      </header>
      {props.isRunning && query.get("refresh") !== "off" ? (
        <noscript>
          <p className="mt-4 text-sm text-fog">
            This page refreshes while work is under way.{" "}
            <a className="link" href={`${pathname}?refresh=off`}>
              Pause refreshing
            </a>{" "}
            while you choose highlights.
          </p>
        </noscript>
      ) : null}

      {clips.length > 0 ? <CreatedClips clips={clips} /> : null}

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
            highlights={highlights}
            playersByTeam={props.playersByTeam}
            canCreateClips={props.canCreateClips}
            picturesUrl={props.picturesUrl}
            defaultFormat={props.defaultFormat}
            inQueue={clips.filter(({ render_status: status }) => status === "queued" || status === "processing").length}
            formResult={props.formResult}
          />
        ) : (
          <NoHighlights match={match} isImporting={isImporting} />
        )}
      </section>
      <ConnectionNotice isLost={isLost || isImportLost} />
    </>
  );
}

function NoHighlights({ match, isImporting }: { match: MatchSummary; isImporting: boolean }) {
  const { processing } = match;
  return (
    <div className="mt-4 grid justify-items-center gap-3 rounded-2xl border border-dashed border-line-2 px-6 py-14 text-center">
      <Icon name="target" className="size-12 text-line-2" />
      <p className="text-xl font-semibold">No highlights available yet.</p>
      <p className="text-fog">Highlights will appear here once analysis is complete.</p>
      <div role="status" className="grid w-full max-w-sm gap-2">
        {isImporting ? (
          <>
            <p className="text-sm font-semibold text-ct">{processing.status_display}</p>
            <ProgressBar value={processing.progress} label={processing.status_display} />
          </>
        ) : null}
        {processing.status === "failed" ? <p className="text-loss">{processing.detail ?? processing.error}</p> : null}
      </div>
    </div>
  );
}
