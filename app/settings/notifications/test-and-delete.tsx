import { Form, useNavigation } from "@remix-run/react";
import type { Webhook } from "../../../contract/schemas/webhooks.ts";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
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
        <SubmitButton
          name="intent"
          value={`${testForm} ${webhook.id}`}
          className="btn btn-quiet"
          isSending={isBusy}
          aria-label={`Send a test message to ${webhook.address}`}
        >
          {isTesting ? "Sending…" : "Send a test message"}
        </SubmitButton>
        <SubmitButton
          name="intent"
          value={`${deleteForm} ${webhook.id}`}
          className="btn btn-danger"
          isSending={isBusy}
          aria-label={`Delete ${webhook.address}`}
        >
          Delete
        </SubmitButton>
      </Form>
      <SettingsAnswerText answer={answer} intent={`${testForm} ${webhook.id}`} />
    </>
  );
}
