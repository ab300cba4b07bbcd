import { Form, useNavigation } from "@remix-run/react";
import type { CreateClipResult } from "../clips/create-clip-result.ts";
import { InPlaceField } from "../shell/asking/in-place-field.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { ProgressBar } from "../shell/pieces/progress-bar.tsx";
import { SubmitButton } from "../shell/pieces/submit-button.tsx";
import { withWaysOut } from "../shell/pieces/with-ways-out.tsx";
import { ImportAnother } from "./import-another.tsx";
import { percentText, stageText } from "./import-stage.ts";
import type { MatchSummary } from "./match-summary.ts";

interface NoHighlightsProps {
  match: MatchSummary;
  isImporting: boolean;
  /** Of another try. */
  result: CreateClipResult | null;
}

/** What a match's page says as long as it has none, or why it never will have. */
export default function NoHighlights({ match, isImporting, result }: NoHighlightsProps) {
  const isSending = useNavigation().formMethod === "POST";
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
      {hasFailed && !processing.can_retry ? <ImportAnother className="btn btn-primary" /> : null}
      {hasFailed && processing.can_retry ? (
        <Form method="post" className="grid justify-items-center gap-3">
          <input type="hidden" name="intent" value="retry" />
          <InPlaceField />
          <SubmitButton className="btn btn-primary" isSending={isSending}>
            <Icon name="retry" />
            Try again
          </SubmitButton>
          <p role="alert" className="font-semibold text-loss empty:hidden">
            {result?.ok === false && !isSending ? withWaysOut(result.error) : null}
          </p>
        </Form>
      ) : null}
    </div>
  );
}
