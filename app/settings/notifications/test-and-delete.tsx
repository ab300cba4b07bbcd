import { Form, useNavigation } from "@remix-run/react";
import type { Webhook } from "../../../contract/api.ts";
import { type SettingsAnswer, SettingsAnswerText } from "../settings-answer.tsx";

/** Names of the forms of one webhook. */
export const testForm = "test";
export const deleteForm = "delete";

interface TestAndDeleteProps {
  webhook: Webhook;
  answer: SettingsAnswer | undefined;
}

export function TestAndDelete({ webhook, answer }: TestAndDeleteProps) {
  const { state, formData } = useNavigation();
  const isBusy = state === "submitting";
  const isTesting = isBusy && formData?.get("intent") === `${testForm} ${webhook.id}`;
  return (
    <>
      <Form method="post" preventScrollReset className="flex flex-wrap gap-2">
        <button
          type="submit"
          name="intent"
          value={`${testForm} ${webhook.id}`}
          className="btn btn-quiet"
          disabled={isBusy}
          aria-label={`Send a test message to ${webhook.address}`}
        >
          {isTesting ? "Sending…" : "Send a test message"}
        </button>
        <button
          type="submit"
          name="intent"
          value={`${deleteForm} ${webhook.id}`}
          className="btn btn-danger"
          disabled={isBusy}
          aria-label={`Delete ${webhook.address}`}
        >
          Delete
        </button>
      </Form>
      <SettingsAnswerText answer={answer} intent={`${testForm} ${webhook.id}`} />
    </>
  );
}
