import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { formFailureStatus, pageFailure, sessionEnded } from "../api/page-failure.server.ts";
import { keepsPage } from "../shell/asking/form-answers.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { ConfirmPage } from "../shell/pieces/confirm-page.tsx";
import { deleteMatchQuestion } from "../shell/pieces/delete-button.tsx";

export const meta: MetaFunction = () => pageMeta({ title: "Delete Match", noindex: true });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const client = api(request, context);
  try {
    const match = await client.matches.detail({ parameters: { id: params.matchId ?? "" } });
    return { map: match.map_display_name };
  } catch (error) {
    throw pageFailure(error, {
      fallback: "Failed to load match details",
      notFound: "Match not found",
      signedOut: request,
      comesBack: true,
    });
  }
}

/** A failure is only logged (specification, section 8): the dialog or the page stays. A refusal says why. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  try {
    await client.matches.remove({ parameters: { id: params.matchId ?? "" } });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(form.has("inPlace"), new URL(request.url).pathname);
    console.warn(error.message);
    return data(
      { ok: false, refusal: error.isRefusal ? error.sentence : null },
      { status: error.isRefusal ? error.status : formFailureStatus(form, error), headers: client.responseHeaders() },
    );
  }
  return redirect("/matches", { headers: client.responseHeaders() });
}

export const clientAction = keepsPage((reason) => ({ ok: false, refusal: reason || null }));

export default function DeleteMatch() {
  const { map } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return (
    <ConfirmPage
      title="Delete Match"
      question={deleteMatchQuestion(map)}
      problem={result?.refusal ?? null}
      cancelTo="/matches"
    />
  );
}

export function ErrorBoundary() {
  return <PageProblem wayBack={{ to: "/my-matches", label: "Back to Matches" }} />;
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
