import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { NewAccessToken } from "../../contract/schemas/tokens.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { ForScripts } from "../settings/access/for-scripts.tsx";
import { NewTokenSection } from "../settings/access/new-token-section.tsx";
import { newTokenForm, revokeTokenForm, typedToken } from "../settings/access/token-form.ts";
import { TokensSection } from "../settings/access/tokens-section.tsx";
import { answerForm } from "../settings/answer-form.server.ts";
import { failedAnswer } from "../settings/settings-answer.tsx";
import { keepsPage } from "../shell/asking/form-answers.ts";

const path = "/settings/access";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  try {
    const [{ results }, site] = await Promise.all([client.tokens.list(), client.siteDetails()]);
    return data({ tokens: results, address: site.public_url }, { headers: client.responseHeaders() });
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load the settings", signedOut: request, comesBack: true });
  }
}

/** The token itself is in this one answer: nothing that a browser may show again later. */
export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  const typed = typedToken(form);
  let made: NewAccessToken | null = null;
  const isNew = form.get("intent") === newTokenForm;
  const fallback = isNew ? "Failed to make the token" : "Failed to revoke the token";
  const answered = await answerForm({ client, form, path, fallback }, async () => {
    if (form.get("intent") === revokeTokenForm) {
      await client.tokens.revoke({ parameters: { id: Number(form.get("token")) } });
      return "Revoked. Nothing can use this token any more.";
    }
    made = await client.tokens.create({ body: typed });
    return `“${made.name}” is made.`;
  });
  const headers = new Headers(answered.init?.headers);
  headers.set("Cache-Control", "no-store");
  return data({ answer: answered.data, made: made as NewAccessToken | null, typed }, { ...answered.init, headers });
}

export const clientAction = keepsPage((reason, form) => ({
  answer: failedAnswer(reason, form),
  made: null,
  typed: typedToken(form),
}));

export default function AccessSettings() {
  const { tokens, address } = useLoaderData<typeof loader>();
  const { answer, made, typed } = useActionData<typeof action>() ?? {};
  return (
    <>
      <NewTokenSection answer={answer} made={made ?? null} typed={answer?.ok === false ? typed : undefined} />
      <TokensSection tokens={tokens} answer={answer} newId={made?.id} />
      <ForScripts address={address} />
    </>
  );
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
