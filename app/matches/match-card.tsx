import { Link, useFetcher } from "@remix-run/react";
import { lookUp } from "../../contract/look-up.ts";
import { gameModeLabel, type ProcessingStatus } from "../../contract/statuses.ts";
import type { MatchStates } from "../routes/matches.status.tsx";
import { InPlaceField } from "../shell/asking/in-place-field.tsx";
import { DeleteButton, deleteMatchQuestion } from "../shell/pieces/delete-button.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { ProgressBar } from "../shell/pieces/progress-bar.tsx";
import { SubmitButton } from "../shell/pieces/submit-button.tsx";
import { ImportAnother } from "./import-another.tsx";
import { ImportProblem } from "./import-problem.tsx";
import type { ImportResult } from "./import-result.ts";
import { percentText, stageText } from "./import-stage.ts";
import type { MatchSummary } from "./match-summary.ts";
import { isSettled } from "./shared/is-settled.ts";
import { MapEmblem } from "./shared/map-emblem.tsx";
import { MatchDate } from "./shared/match-date.tsx";
import { useImportAction } from "./use-import-action.ts";

const outcomeColors = { win: "text-win", loss: "text-loss", draw: "text-draw", other: "text-fog" } as const;
const outcomeEdges = {
  win: "before:bg-win",
  loss: "before:bg-loss",
  draw: "before:bg-draw",
  other: "before:bg-line-2",
} as const;

const stageIcons: Record<ProcessingStatus, string> = {
  queued: "clock",
  processing_demo: "scan",
  downloading_demo: "download",
  extracting_demo: "box",
  parsing_demo: "scan",
  analyzing_highlights: "target",
  updating_match_info: "pencil",
  loading_avatars: "person",
  completed: "check",
  failed: "alert",
};

interface MatchCardProps {
  match: MatchSummary;
  /** Newer than the match's own state when it has been polled. */
  state: MatchStates["states"][string];
  /** Answer to a form sent without JavaScript. */
  formResult: ImportResult | null;
  onDeleted: () => void;
}

/** A match in the list, in every state from "can be imported" to "has highlights". */
export function MatchCard({ match, state, formResult, onDeleted }: MatchCardProps) {
  const isRecent = match.match_type === "recent";
  const isFailed = state.status === "failed";
  const isRunning = !isSettled(state);
  const isOpen = !isRecent && !isRunning && !isFailed;
  const outcome = match.user_outcome;
  return (
    <article
      className={`panel @container relative flex flex-col gap-4 overflow-hidden p-5 before:absolute before:inset-y-0 before:left-0 before:w-1 ${
        isRunning || isFailed ? "before:bg-line-2" : outcomeEdges[outcome.color_class]
      } ${isOpen ? "panel-link" : ""}`}
    >
      <div className="flex items-start gap-4">
        <MapEmblem url={match.map_icon_url} className="size-14" />
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-2xl">
            {isRecent ? (
              match.map_display_name
            ) : (
              <Link to={`/match/${match.match_id}`} className="cover-link">
                {match.map_display_name}
              </Link>
            )}
          </h2>
          <p className="text-sm text-fog">{gameModeLabel(match.game_mode)}</p>
        </div>
        <p className={`figure text-2xl whitespace-nowrap ${outcomeColors[outcome.color_class]}`}>
          <span className="sr-only">{outcome.color_class === "other" ? "Score" : outcome.color_class} </span>
          {outcome.formatted_score}
        </p>
      </div>
      {/* The longest one has 23.6 em and stays on one line: no card is higher for its month, or once letters have come. */}
      <p id={`date-${match.match_id}`} className="text-[clamp(0.75rem,4cqi,0.875rem)] text-fog">
        <MatchDate match={match} />
      </p>
      <div className="mt-auto grid gap-3">
        {isRunning ? <Running state={state} /> : null}
        {isFailed ? <Failed match={match} state={state} formResult={formResult} /> : null}
        {isOpen ? <Found match={match} highlights={Math.max(match.highlights_count, state.highlights_found)} /> : null}
        {isRecent && !isRunning && !isFailed ? <ImportRecent match={match} formResult={formResult} /> : null}
      </div>
      {isRecent ? null : (
        <div className="absolute right-2 bottom-4">
          <DeleteButton
            label={`Delete the match on ${match.map_display_name}`}
            describedBy={`date-${match.match_id}`}
            title="Delete Match"
            to={`/matches/${match.match_id}/delete`}
            question={deleteMatchQuestion(match.map_display_name)}
            onDone={onDeleted}
          />
        </div>
      )}
    </article>
  );
}

function Running({ state }: { state: MatchCardProps["state"] }) {
  const text = stageText(state);
  return (
    <div className="grid gap-2.5 pr-11">
      <p role="status" className="flex min-h-6 items-center gap-2.5 text-sm font-semibold text-fog">
        <Icon name={lookUp(stageIcons, state.status) ?? "scan"} />
        {text}
        <span className="ml-auto flex items-center gap-2.5">
          <span className="figure text-base whitespace-nowrap">{percentText(state)}</span>
          <span aria-hidden="true" className="spinner text-ct" />
        </span>
      </p>
      <ProgressBar value={state.progress} label={text} />
    </div>
  );
}

function Failed({ match, state, formResult }: Pick<MatchCardProps, "match" | "state" | "formResult">) {
  const fetcher = useFetcher<ImportResult>();
  const action = useImportAction();
  const isSending = fetcher.state !== "idle";
  return (
    <div className="grid gap-3 pr-11">
      <p role="status" className="flex gap-2.5 text-sm text-loss">
        <Icon name="alert" />
        <span>
          <strong className="font-semibold">Failed.</strong> {state.detail ?? state.error}
        </span>
      </p>
      {state.can_retry ? (
        <fetcher.Form method="post" action={action}>
          <input type="hidden" name="intent" value="retry" />
          <input type="hidden" name="match_id" value={match.match_id} />
          <InPlaceField />
          <SubmitButton className="btn btn-quiet above-cover" isSending={isSending}>
            <Icon name="retry" />
            Try again
          </SubmitButton>
        </fetcher.Form>
      ) : (
        <ImportAnother className="btn btn-quiet above-cover justify-self-start" />
      )}
      <ImportProblem result={isSending ? null : (fetcher.data ?? formResult)} intent="retry" of={match.match_id} />
    </div>
  );
}

function Found({ match, highlights }: { match: MatchSummary; highlights: number }) {
  return (
    <>
      <p className="flex items-center gap-2 text-sm font-semibold">
        <Icon name="check" className="size-5 text-win" />
        {highlights > 0 ? `${highlights} Highlights` : "No Highlights"}
        {match.clips_count > 0 ? (
          <span className="text-fog">
            · {match.clips_count} {match.clips_count === 1 ? "Clip" : "Clips"}
          </span>
        ) : null}
      </p>
      <div className="flex gap-2 pr-11">
        <Link to={`/match/${match.match_id}`} className="btn btn-quiet above-cover flex-1">
          View Details
        </Link>
      </div>
    </>
  );
}

function ImportRecent({ match, formResult }: Pick<MatchCardProps, "match" | "formResult">) {
  const fetcher = useFetcher<ImportResult>();
  const isSending = fetcher.state !== "idle";
  const fields = {
    intent: "recent",
    demo_url: match.demo_url,
    recent_match_id: match.recent_match_id,
    map_name: match.map_name,
    game_mode: match.game_mode,
    score_team1: match.score_team1,
    score_team2: match.score_team2,
    match_date: match.match_date,
  };
  return (
    <fetcher.Form method="post" action={useImportAction()} className="flex flex-wrap items-center gap-2">
      <InPlaceField />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value ?? ""} />
      ))}
      <SubmitButton className="btn btn-quiet flex-1" isSending={isSending}>
        {isSending ? "Importing..." : "Import Match"}
      </SubmitButton>
      {match.provider_match_url ? (
        <a
          href={match.provider_match_url}
          target="_blank"
          rel="noreferrer"
          aria-label={`Show the match on ${match.map_display_name} at the match history provider`}
          className="icon-btn"
        >
          <Icon name="external" />
        </a>
      ) : null}
      <ImportProblem
        result={isSending ? null : (fetcher.data ?? formResult)}
        intent="recent"
        of={match.recent_match_id}
      />
    </fetcher.Form>
  );
}
