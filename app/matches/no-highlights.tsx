import { Form } from "@remix-run/react";
import { Icon } from "../shell/pieces/icon.tsx";
import { ProgressBar } from "../shell/pieces/progress-bar.tsx";
import { percentText, stageText } from "./import-stage.ts";
import type { MatchSummary } from "./match-summary.ts";

/** What a match's page says as long as it has none, or why it never will have. */
export default function NoHighlights({ match, isImporting }: { match: MatchSummary; isImporting: boolean }) {
  const { processing } = match;
  const hasFailed = processing.status === "failed";
  return (
    <div className="mt-4 grid justify-items-center gap-3 rounded-2xl border border-dashed border-line-2 px-6 py-14 text-center">
      <Icon name={hasFailed ? "alert" : "target"} className={`size-12 ${hasFailed ? "text-loss" : "text-line-2"}`} />
      <p className="text-xl font-semibold">No highlights available yet.</p>
      {hasFailed ? null : <p className="text-fog">Highlights will appear here once analysis is complete.</p>}
      <div role="status" className="grid w-full max-w-sm gap-2">
        {isImporting ? (
          <>
            <p className="flex justify-between gap-4 text-sm font-semibold text-ct">
              {stageText(processing)}
              <span className="figure text-base whitespace-nowrap text-fog">{percentText(processing)}</span>
            </p>
            <ProgressBar value={processing.progress} label={stageText(processing)} />
          </>
        ) : null}
        {hasFailed ? <p className="text-loss">{processing.detail ?? processing.error}</p> : null}
      </div>
      {hasFailed ? (
        // The list shows how far it is, and why not if it cannot be tried.
        <Form method="post" action="/matches?index">
          <input type="hidden" name="intent" value="retry" />
          <input type="hidden" name="match_id" value={match.match_id} />
          <button type="submit" className="btn btn-primary">
            <Icon name="retry" />
            Try again
          </button>
        </Form>
      ) : null}
    </div>
  );
}
