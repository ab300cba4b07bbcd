import { Form, Link, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { automationLimits } from "../../../contract/automation-limits.ts";
import type { Automation } from "../../../contract/schemas/automation.ts";
import { renderOptions } from "../../clips/render-settings.ts";
import { RenderSettingsPanel } from "../../clips/render-settings-panel.tsx";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { type SettingsAnswer, SettingsAnswerText } from "../settings-answer.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { AutomationState } from "./automation-state.tsx";
import { type TypedChoice, withTyped } from "./with-typed.ts";

/** Names of the forms: values of their buttons. */
export const automationForms = { save: "save", stop: "stop" } as const;

interface AutomationSectionProps {
  automation: Automation;
  /** By a form that was refused. */
  typed: TypedChoice | undefined;
  answer: SettingsAnswer | undefined;
}

/** Whether clips are made without a press, which, and how that is going. */
export function AutomationSection({ automation, typed, answer }: AutomationSectionProps) {
  const isBusy = useNavigation().state === "submitting";
  const { provider, is_on: isOn } = automation;
  const fields = withTyped(automation, typed);
  return (
    <SettingsSection
      id="automatic"
      title="Automatic clips"
      lead={
        provider
          ? `${provider.name} is asked for your new matches, every ten minutes while you play. Each is imported, and what you choose here becomes clips.`
          : undefined
      }
    >
      {provider ? null : (
        <p className="mb-5 rounded-lg border border-line bg-ink px-4 py-3">
          This server has no match history provider, so it cannot look for your matches.{" "}
          <Link to="/matches" className="text-flare underline underline-offset-4">
            Import them yourself
          </Link>
          .
        </p>
      )}
      {isOn ? (
        <AutomationState automation={automation}>
          <Form method="post" preventScrollReset>
            <SubmitButton name="intent" value={automationForms.stop} className="btn btn-danger" isSending={isBusy}>
              Switch off
            </SubmitButton>
          </Form>
        </AutomationState>
      ) : null}
      <SettingsAnswerText answer={answer} intent={automationForms.stop} />
      <Form method="post" preventScrollReset>
        <fieldset disabled={!provider} className="grid gap-7">
          <legend className="sr-only">Which clips are made</legend>
          <Choices title="What becomes a clip">
            <Choice
              name="choice"
              value="best"
              isChosen={fields.choice === "best"}
              label="The best highlight of a match"
            />
            <Choice
              name="choice"
              value="above"
              isChosen={fields.choice === "above"}
              label="Every highlight that scores at least"
            >
              <input
                type="number"
                name="min_score"
                aria-label="Lowest score"
                aria-describedby="scores"
                defaultValue={fields.min_score}
                min={automationLimits.minScore.min}
                max={automationLimits.minScore.max}
                step="any"
                className="field w-24 flex-none"
              />
            </Choice>
          </Choices>
          <p id="scores" className="-mt-4 text-sm text-fog">
            A score of 30 is about a triple kill, 60 a quad kill, 100 an ace:{" "}
            <Link to="/highlights/about" className="text-flare underline underline-offset-4">
              how highlights are ranked
            </Link>
            .
          </p>
          <Choices title="Whose highlights">
            <Choice name="players" value="me" isChosen={fields.players === "me"} label="Mine" />
            <Choice name="players" value="team" isChosen={fields.players === "team"} label="My team’s" />
          </Choices>
          <Choices title="Who can find them">
            <Choice
              name="visibility"
              value="public"
              isChosen={fields.visibility === "public"}
              label="Everybody, in lists and feeds"
            />
            <Choice
              name="visibility"
              value="unlisted"
              isChosen={fields.visibility === "unlisted"}
              label="Only people with the link"
            />
          </Choices>
          <label className="flex flex-wrap items-center justify-between gap-3">
            <span>
              <span className="block font-display text-xl font-bold">Clips a day</span>
              <span className="text-sm text-fog">
                The most that are made. Clips and imports you start yourself always go first.
              </span>
            </span>
            <input
              type="number"
              name="clips_per_day"
              defaultValue={fields.clips_per_day}
              min={automationLimits.clipsPerDay.min}
              max={automationLimits.clipsPerDay.max}
              className="field w-24 flex-none"
            />
          </label>
          <RenderSettingsPanel
            query={settingsQuery(fields)}
            defaultFormat={fields.format ?? "720p"}
            offersUnlisted={false}
          />
          <div>
            <SubmitButton
              name="intent"
              value={automationForms.save}
              className="btn btn-primary max-sm:w-full"
              disabled={!provider}
              isSending={isBusy}
            >
              {isOn ? "Save" : "Switch on"}
            </SubmitButton>
            {isOn ? null : <p className="mt-2 text-sm text-fog">It starts with the next match you play.</p>}
          </div>
        </fieldset>
      </Form>
      <SettingsAnswerText answer={answer} intent={automationForms.save} />
    </SettingsSection>
  );
}

function Choices({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-3 font-display text-xl font-bold">{title}</legend>
      <div className="grid gap-2 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  value: string;
  isChosen: boolean;
  label: string;
  children?: ReactNode;
}

function Choice({ name, value, isChosen, label, children }: ChoiceProps) {
  return (
    <div className="flex min-h-14 items-center gap-x-3 rounded-lg max-sm:flex-wrap border border-line bg-ink px-3 py-1.5 transition-colors hover:border-line-2 has-checked:border-ct/60 has-checked:bg-ct/8 has-disabled:text-fog">
      <label className="flex min-h-11 min-w-0 flex-1 items-center gap-3 font-semibold">
        <input
          type="radio"
          name={name}
          value={value}
          defaultChecked={isChosen}
          className="tick size-5 [--tick:var(--color-ct)]"
        />
        {label}
      </label>
      {children}
    </div>
  );
}

/** As the panel reads what stands in an address. */
function settingsQuery({ render_settings: chosen, format }: Automation): URLSearchParams {
  const ticked = renderOptions.filter(({ name }) => chosen[name]).map(({ name }) => [name, "on"]);
  return new URLSearchParams([["settings", "1"], ...ticked, ...(format ? [["format", format]] : [])]);
}
