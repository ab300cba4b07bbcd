import { Form, useNavigation } from "@remix-run/react";
import type { Webhook } from "../../../contract/schemas/webhooks.ts";
import { webhookEventLabels, webhookEvents, webhookLimits } from "../../../contract/webhooks.ts";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { type SettingsAnswer, SettingsAnswerText } from "../settings-answer.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { deleteForm, TestAndDelete } from "./test-and-delete.tsx";
import { type TypedWebhook, typedInto } from "./typed-webhook.ts";
import { WebhookStanding } from "./webhook-standing.tsx";

/** Name of the form that adds one. */
export const addForm = "add";

interface ScriptsSectionProps {
  webhooks: Webhook[];
  answer: (SettingsAnswer & { secret?: string | undefined; typed?: TypedWebhook | undefined }) | undefined;
}

/** Servers of the player's own that get signed messages. */
export function ScriptsSection({ webhooks, answer }: ScriptsSectionProps) {
  const isBusy = useNavigation().state === "submitting";
  const typed = typedInto(answer, addForm);
  return (
    <SettingsSection
      id="scripts"
      title="Webhooks for scripts"
      lead="Signed messages to your own server, as the Standard Webhooks specification defines them. A message that does not arrive is sent again, up to eight times within a day."
    >
      {webhooks.length > 0 ? (
        <ul className="mb-6 grid gap-3">
          {webhooks.map((webhook) => (
            <li key={webhook.id} className="grid gap-3 rounded-lg border border-line bg-ink p-4">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
                <span className="min-w-0 font-mono text-sm wrap-anywhere">{webhook.address}</span>
                <WebhookStanding webhook={webhook} />
              </p>
              <p className="text-sm text-fog">{webhook.events.map((event) => webhookEventLabels[event]).join(" · ")}</p>
              <TestAndDelete webhook={webhook} answer={answer} />
            </li>
          ))}
        </ul>
      ) : null}
      <SettingsAnswerText answer={answer} intent={deleteForm} />
      {answer?.secret ? (
        <div className="mb-6 rounded-lg border border-win/50 bg-win/8 p-4" role="status">
          <p className="font-semibold">Copy the secret now: it is shown only once.</p>
          <input
            readOnly
            value={answer.secret}
            aria-label="Secret of the new webhook"
            className="field mt-3 font-mono text-sm"
            onFocus={(event) => event.currentTarget.select()}
          />
        </div>
      ) : null}
      {webhooks.length < webhookLimits.scripts ? (
        <Form key={answer?.secret} method="post" preventScrollReset className="grid gap-4">
          <label className="grid gap-1.5 text-sm text-fog">
            Address
            <input
              type="url"
              name="url"
              required
              autoComplete="off"
              defaultValue={typed?.url}
              placeholder="https://example.org/clutchcast"
              className="field"
            />
          </label>
          <fieldset>
            <legend className="text-sm text-fog">Send a message when</legend>
            <div className="mt-2 grid gap-2 sm:grid-cols-3">
              {webhookEvents.map((event) => (
                <label
                  key={event}
                  className="flex min-h-11 items-center gap-2.5 rounded-lg border border-line bg-ink px-2.5 py-1.5 transition-colors hover:border-line-2 has-checked:border-ct/60 has-checked:bg-ct/8"
                >
                  <input
                    type="checkbox"
                    name="event"
                    value={event}
                    defaultChecked={typed ? typed.events.includes(event) : event === "clip.ready"}
                    className="tick size-5 [--tick:var(--color-ct)]"
                  />
                  <span className="text-sm font-semibold">{webhookEventLabels[event]}</span>
                </label>
              ))}
            </div>
          </fieldset>
          <div>
            <SubmitButton name="intent" value={addForm} className="btn btn-primary max-sm:w-full" isSending={isBusy}>
              Add webhook
            </SubmitButton>
          </div>
        </Form>
      ) : (
        <p className="text-fog">That is as many as you can have.</p>
      )}
      <SettingsAnswerText answer={answer} intent={addForm} />
    </SettingsSection>
  );
}
