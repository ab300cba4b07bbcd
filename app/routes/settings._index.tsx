import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { answerForm } from "../settings/answer-form.server.ts";
import { choiceFromForm } from "../settings/automatic/automation-form.server.ts";
import { AutomationSection, automationForms } from "../settings/automatic/automation-section.tsx";
import { failedAnswer } from "../settings/settings-answer.tsx";
import { keepsPage } from "../shell/asking/form-answers.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  try {
    return data({ automation: await client.automation.state() }, { headers: client.responseHeaders() });
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load the settings", signedOut: request, comesBack: true });
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  const isStop = form.get("intent") === automationForms.stop;
  const typed = choiceFromForm(form);
  const answered = await answerForm({ client, form, path: "/settings", fallback: "Failed to save" }, async () => {
    // What no form came with must not become the standard choice.
    if (!form.has("intent")) throw new ApiFailure(400, { detail: "Unknown form" }, "no intent");
    if (isStop) {
      await client.automation.stop();
      return "Automatic clips are off.";
    }
    await client.automation.save({ body: typed });
    return "Saved. Automatic clips are on.";
  });
  const answer = answered.data;
  return data({ answer, typed: answer.ok || isStop ? undefined : typed }, answered.init ?? {});
}

export const clientAction = keepsPage((reason, form) => ({ answer: failedAnswer(reason, form) }));

export default function AutomaticSettings() {
  const { automation } = useLoaderData<typeof loader>();
  const { answer, typed } = useActionData<typeof action>() ?? {};
  return <AutomationSection key={String(automation.is_on)} automation={automation} typed={typed} answer={answer} />;
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
