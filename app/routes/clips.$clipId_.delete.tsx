import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { formFailureStatus, pageFailure, sessionEnded } from "../api/page-failure.server.ts";
import { clipAddressFromParams } from "../clips/clip-address-of-params.ts";
import { keepsPage } from "../shell/asking/form-answers.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { ConfirmPage } from "../shell/pieces/confirm-page.tsx";
import { deleteClipQuestion } from "../shell/pieces/delete-button.tsx";

export const meta: MetaFunction = () => pageMeta({ title: "Delete Clip", noindex: true });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const client = api(request, context);
  try {
    const clip = await client.clips.detail({ parameters: { id: clipAddressFromParams(params) } });
    if (!clip.is_owner) throw redirect(`/clips/${clip.public_id}`);
    return { id: clip.id, name: clip.display_name };
  } catch (error) {
    throw pageFailure(error, {
      fallback: "Failed to load clip",
      notFound: "Clip not found",
      signedOut: request,
      comesBack: true,
    });
  }
}

export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  try {
    await client.clips.remove({ parameters: { id: clipAddressFromParams(params) } });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(form.has("inPlace"), new URL(request.url).pathname);
    console.warn(error.message);
    return data(
      { ok: false, refusal: error.isRefusal ? error.sentence : null },
      { status: error.isRefusal ? error.status : formFailureStatus(form, error), headers: client.responseHeaders() },
    );
  }
  return redirect("/clips", { headers: client.responseHeaders() });
}

export const clientAction = keepsPage((reason) => ({ ok: false, refusal: reason || null }));

export default function DeleteClip() {
  const { id, name } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return (
    <ConfirmPage
      title="Delete Clip"
      question={deleteClipQuestion(name)}
      problem={result?.ok === false ? ["Failed to delete clip", result.refusal].filter(Boolean).join(". ") : null}
      cancelTo={`/clips/${id}`}
    />
  );
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
