import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { formFailureStatus, pageFailure, sessionEnded } from "../api/page-failure.server.ts";
import { answerNotifications, TestFailed } from "../settings/notifications/answer-notifications.server.ts";
import { DeliveryLog } from "../settings/notifications/delivery-log.tsx";
import { DiscordSection } from "../settings/notifications/discord-section.tsx";
import { ScriptsSection } from "../settings/notifications/scripts-section.tsx";
import { deleteForm } from "../settings/notifications/test-and-delete.tsx";
import type { TypedWebhook } from "../settings/notifications/typed-webhook.ts";
import { failedAnswer, type SettingsAnswer } from "../settings/settings-answer.tsx";
import { keepsPage } from "../shell/asking/form-answers.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  try {
    const { results, deliveries } = await client.webhooks.list();
    return data({ webhooks: results, deliveries }, { headers: client.responseHeaders() });
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load the settings", signedOut: request, comesBack: true });
  }
}

type Answer = SettingsAnswer & { secret?: string | undefined; typed?: TypedWebhook | undefined };

export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  const sent = String(form.get("intent") ?? "");
  // One webhook is gone then, and its place with it.
  const name = sent.startsWith(deleteForm) ? deleteForm : sent;
  const typed = { url: String(form.get("url") ?? ""), events: form.getAll("event").map(String) };
  try {
    const answer: Answer = { intent: name, ok: true, ...(await answerNotifications(client, form)) };
    return data(answer, { headers: client.responseHeaders() });
  } catch (error) {
    if (error instanceof TestFailed) {
      const answer: Answer = { intent: name, ok: false, sentence: error.message };
      return data(answer, { headers: client.responseHeaders() });
    }
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(false, "/settings/notifications");
    const answer: Answer = { intent: name, ok: false, sentence: error.sentence || "Failed to save", typed };
    return data(answer, { status: formFailureStatus(form, error), headers: client.responseHeaders() });
  }
}

export const clientAction = keepsPage<Answer>((reason, form) => failedAnswer(reason, form));

export default function NotificationSettings() {
  const { webhooks, deliveries } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const discord = webhooks.find(({ kind }) => kind === "discord");
  const scripts = webhooks.filter(({ kind }) => kind === "script");
  return (
    <>
      <DiscordSection key={discord?.id} webhook={discord} answer={answer} />
      <ScriptsSection webhooks={scripts} answer={answer} />
      <DeliveryLog deliveries={deliveries} webhooks={webhooks} answer={answer} />
    </>
  );
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
