import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { DeleteAccountSection, deleteAccountForm } from "../settings/account/delete-account-section.tsx";
import { DevicesSection } from "../settings/account/devices-section.tsx";
import { OwnDataSection } from "../settings/account/own-data-section.tsx";
import { answerForm, refusedForm } from "../settings/answer-form.server.ts";
import { failedAnswer } from "../settings/settings-answer.tsx";
import { keepsPage } from "../shell/asking/form-answers.ts";
import { useSessionUser } from "../shell/session/use-session-user.ts";

const path = "/settings/account";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  try {
    const [{ results }, { user_stats }] = await Promise.all([
      client.account.sessions(),
      client.clips.own({ query: { limit: 1 } }),
    ]);
    return data({ sessions: results, clips: user_stats.total_clips }, { headers: client.responseHeaders() });
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load the settings", signedOut: request, comesBack: true });
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  if (form.get("intent") === deleteAccountForm) {
    // The box is required; a browser that sends the form without it is told what is missing.
    if (!form.has("understood")) return refusedForm(form, "Tick the box if you want your account deleted.");
    return answerForm({ client, form, path, fallback: "Failed to delete the account" }, async () => {
      await client.account.remove({ body: { steam_id: String(form.get("steam_id")) } });
      throw redirect("/?account=deleted", { headers: client.responseHeaders() });
    });
  }
  return answerForm({ client, form, path, fallback: "Failed to sign out there" }, async () => {
    await client.account.endSession({ parameters: { id: String(form.get("session")) } });
    return "Signed out there.";
  });
}

export const clientAction = keepsPage(failedAnswer);

export default function AccountSettings() {
  const { sessions, clips } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const user = useSessionUser();
  return (
    <>
      <DevicesSection sessions={sessions} answer={answer} />
      <OwnDataSection />
      {user ? <DeleteAccountSection steamId={user.steam_id} clips={clips} answer={answer} /> : null}
    </>
  );
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
