import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { limits } from "../../contract/limits.ts";
import { ApiFailure, outOfReachText } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { formFailureStatus, pageFailure, sessionEnded } from "../api/page-failure.server.ts";
import { importFromForm } from "../matches/import-form.server.ts";
import { type ImportResult, importFailure } from "../matches/import-result.ts";
import { matchPaging, pageFromQuery } from "../matches/match-paging.ts";
import { summariseMatch } from "../matches/match-summary.ts";
import { MatchesPage } from "../matches/matches-page.tsx";
import { isSettled } from "../matches/shared/is-settled.ts";
import { uploadedOf } from "../matches/upload-outcome.ts";
import { keepsPage } from "../shell/asking/form-answers.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { productName } from "../shell/product-name.ts";
import { wayBack } from "../shell/session/way-back.ts";

const refreshSeconds = 5;

export const meta: MetaFunction = () => pageMeta({ title: `Imported Matches - ${productName}`, noindex: true });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const page = pageFromQuery(new URL(request.url).searchParams);
  const client = api(request, context);
  try {
    const list = await client.matches.list({
      query: { limit: limits.matchesPerPage, offset: (page - 1) * limits.matchesPerPage },
    });
    const isRunning = list.results.some((match) => !isSettled(match.processing));
    return data(
      {
        matches: list.results.map(summariseMatch),
        count: list.count,
        provider: list.provider,
        sampleAvailable: list.sample_available,
        paging: matchPaging(page, list.results.length, list.count, list.next !== null),
        isRunning,
        refreshSeconds: isRunning ? refreshSeconds : null,
      },
      { headers: client.responseHeaders() },
    );
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load matches", always: true, signedOut: request });
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  let matchId: string;
  try {
    matchId = await importFromForm(client, form);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(form.has("inPlace"), wayBack(listAddress(request), typedFields(form)));
    console.warn(error.message);
    return data(importFailure(form, failureText(form, error)), {
      status: formFailureStatus(form, error),
      headers: client.responseHeaders(),
    });
  }
  const intent = String(form.get("intent"));
  const headers = client.responseHeaders();
  if (form.has("inPlace") && intent === "demo-url")
    return data({ ok: true, intent } satisfies ImportResult as ImportResult, { headers });
  // From the start page one goes on to the match itself.
  if (form.has("open")) throw redirect(`/matches/${encodeURIComponent(matchId)}`, { headers });
  // What is new stands on the first page, what is tried again where it was.
  const shownOn = intent === "retry" ? listAddress(request) : "/matches";
  throw redirect(intent === "demo-url" ? "/matches?uploaded=1" : shownOn, { headers });
}

export const clientAction = keepsPage<ImportResult>((reason, form) =>
  importFailure(form, reason && (form.get("intent") === "demo-url" ? "Failed to upload demo URL" : outOfReachText)),
);

/** The page of the list that a form was sent from. */
function listAddress(request: Request): string {
  const page = pageFromQuery(new URL(request.url).searchParams);
  return page > 1 ? `/matches?page=${page}` : "/matches";
}

/** Of a form that only has a button there is nothing to keep. */
function typedFields(form: FormData): FormData | null {
  return form.get("intent") === "demo-url" ? form : null;
}

/** A recent match that cannot be imported is only logged (specification, section 8), unless a limit is the reason. */
function failureText(form: FormData, failure: ApiFailure): string {
  if (form.get("intent") === "recent" && !failure.isRefusal) return "";
  return failure.sentence ?? "Failed to upload demo URL";
}

export default function MyMatches() {
  const loaded = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const [query] = useSearchParams();
  return <MatchesPage {...loaded} formResult={result ?? null} uploaded={uploadedOf(query)} />;
}

export function ErrorBoundary() {
  const result = useActionData<typeof action>();
  const typed = result?.ok === false && result.intent === "demo-url" ? result.demoUrl : "";
  const again = typed ? `/matches?${new URLSearchParams({ demo_url: typed })}#import` : undefined;
  return <PageProblem again={again} />;
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
