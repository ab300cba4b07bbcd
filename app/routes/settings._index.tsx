import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { answerForm } from "../settings/answer-form.server.ts";
import { choiceFromForm } from "../settings/automatic/automation-form.server.ts";
import { AutomationSection, automationForms } from "../settings/automatic/automation-section.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  try {
    return data({ automation: await client.automation.state() }, { headers: client.responseHeaders() });
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load the settings", signedOut: request });
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await request.formData();
  return answerForm({ client, form, path: "/settings", fallback: "Failed to save" }, async () => {
    if (form.get("intent") === automationForms.stop) {
      await client.automation.stop();
      return "Automatic clips are off.";
    }
    await client.automation.save({ body: choiceFromForm(form) });
    return "Saved. Automatic clips are on.";
  });
}

export default function AutomaticSettings() {
  const { automation } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return <AutomationSection key={String(automation.is_on)} automation={automation} answer={answer} />;
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
