import { Form, useNavigation } from "@remix-run/react";
import type { Webhook } from "../../../contract/schemas/webhooks.ts";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { type SettingsAnswer, SettingsAnswerText } from "../settings-answer.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { TestAndDelete } from "./test-and-delete.tsx";
import { type TypedWebhook, typedInto } from "./typed-webhook.ts";
import { WebhookStanding } from "./webhook-standing.tsx";

/** Name of the form. */
export const discordForm = "discord";

/** The channel of Discord in which ready clips are shown. */
export function DiscordSection({
  webhook,
  answer,
}: {
  webhook: Webhook | undefined;
  answer: (SettingsAnswer & { typed?: TypedWebhook | undefined }) | undefined;
}) {
  const isBusy = useNavigation().state === "submitting";
  return (
    <SettingsSection
      id="discord"
      title="Discord"
      lead="Posts each clip to your Discord channel once it is ready. In Discord, open the channel’s settings, then Integrations, Webhooks, New Webhook, Copy Webhook URL."
    >
      {webhook ? (
        <div className="mb-5 grid gap-3 rounded-lg border border-line bg-ink p-4">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
            <span className="min-w-0 font-mono text-sm wrap-anywhere">{webhook.address}</span>
            <WebhookStanding webhook={webhook} />
          </p>
          <TestAndDelete webhook={webhook} answer={answer} />
        </div>
      ) : null}
      <Form method="post" preventScrollReset className="flex flex-wrap items-end gap-3">
        <label className="grid min-w-0 flex-1 basis-72 gap-1.5 text-sm text-fog">
          {webhook ? "Another webhook URL" : "Webhook URL"}
          <input
            type="url"
            name="url"
            required
            autoComplete="off"
            defaultValue={typedInto(answer, discordForm)?.url}
            placeholder="https://discord.com/api/webhooks/…"
            className="field"
          />
        </label>
        <SubmitButton
          name="intent"
          value={discordForm}
          className="btn btn-primary min-h-12 max-sm:w-full"
          isSending={isBusy}
        >
          {webhook ? "Replace" : "Save"}
        </SubmitButton>
      </Form>
      <SettingsAnswerText answer={answer} intent={discordForm} />
    </SettingsSection>
  );
}
