import { Form, useNavigation } from "@remix-run/react";
import type { Webhook, WebhookDelivery } from "../../../contract/schemas/webhooks.ts";
import { webhookEventLabels, webhookLimits } from "../../../contract/webhooks.ts";
import { LocalTime } from "../../shell/pieces/local-time.tsx";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { type SettingsAnswer, SettingsAnswerText } from "../settings-answer.tsx";
import { SettingsSection } from "../settings-section.tsx";

/** Name of the form that sends a message again. */
export const againForm = "again";

interface DeliveryLogProps {
  deliveries: WebhookDelivery[];
  webhooks: Webhook[];
  answer: SettingsAnswer | undefined;
}

const states = {
  sent: { label: "Arrived", className: "text-win" },
  failed: { label: "Failed", className: "text-loss" },
  waiting: { label: "Waiting", className: "text-ct" },
} as const satisfies Record<WebhookDelivery["state"], object>;

/** What became of the newest messages. */
export function DeliveryLog({ deliveries, webhooks, answer }: DeliveryLogProps) {
  const isBusy = useNavigation().state === "submitting";
  if (deliveries.length === 0) return null;
  const addressOf = (delivery: WebhookDelivery) => webhooks.find(({ id }) => id === delivery.webhook_id)?.address ?? "";
  return (
    <SettingsSection
      id="deliveries"
      title="Delivery log"
      lead={`The last ${webhookLimits.deliveriesShown} messages, for ${webhookLimits.logDays} days.`}
    >
      <ol className="grid gap-2">
        {deliveries.map((delivery) => (
          <li
            key={delivery.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-ink px-4 py-3"
          >
            <div className="min-w-0 flex-1 basis-72">
              <p className="flex flex-wrap gap-x-2 font-semibold">
                <span className={states[delivery.state].className}>{states[delivery.state].label}</span>
                <span>{eventLabel(delivery.event)}</span>
              </p>
              <p className="text-sm wrap-anywhere text-fog">
                <LocalTime iso={delivery.tried_at ?? delivery.created_at} /> · {addressOf(delivery)}
              </p>
              <p className="text-sm wrap-anywhere text-haze tabular-nums">{outcome(delivery)}</p>
            </div>
            {delivery.event === "test" || delivery.state === "waiting" ? null : (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="delivery" value={delivery.id} />
                <SubmitButton
                  name="intent"
                  value={againForm}
                  className="btn btn-quiet"
                  isSending={isBusy}
                  aria-label={`Send again: ${eventLabel(delivery.event)} to ${addressOf(delivery)}`}
                >
                  Send again
                </SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ol>
      <SettingsAnswerText answer={answer} intent={againForm} />
    </SettingsSection>
  );
}

function eventLabel(event: string): string {
  return event === "test"
    ? "Test message"
    : (Object.entries(webhookEventLabels).find(([name]) => name === event)?.[1] ?? event);
}

/** "204 · 38 ms · try 2", with what went wrong. */
function outcome({ status, took_ms, tries, problem }: WebhookDelivery): string {
  if (tries === 0) return problem ?? "Not sent yet";
  return [status, took_ms === null ? null : `${took_ms} ms`, `try ${tries}`, problem].filter(Boolean).join(" · ");
}
