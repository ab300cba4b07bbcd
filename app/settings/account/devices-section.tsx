import { Form, useNavigation } from "@remix-run/react";
import type { OwnSession } from "../../../contract/schemas/accounts.ts";
import { LocalTime } from "../../shell/pieces/local-time.tsx";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { type SettingsAnswer, SettingsAnswerText } from "../settings-answer.tsx";
import { SettingsSection } from "../settings-section.tsx";

/** Name of the form that signs out one device. */
const endSessionForm = "end-session";

/** Where the player is signed in, each of it with a way to end it. */
export function DevicesSection({ sessions, answer }: { sessions: OwnSession[]; answer: SettingsAnswer | undefined }) {
  const isBusy = useNavigation().state === "submitting";
  return (
    <SettingsSection
      id="devices"
      title="Where you are signed in"
      lead="A session ends after two weeks without use, and after 90 days in any case."
    >
      <ul className="grid gap-2">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-ink px-4 py-3"
          >
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">
                {session.device ?? "Unknown browser"}
                {session.is_current ? (
                  <span className="ml-2 rounded bg-win/15 px-2 py-0.5 text-sm text-win">This device</span>
                ) : null}
              </p>
              <p className="text-sm text-fog">
                Last used <LocalTime iso={session.last_seen_at} /> · signed in <LocalTime iso={session.started_at} />
              </p>
            </div>
            {session.is_current ? null : (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="session" value={session.id} />
                <SubmitButton
                  name="intent"
                  value={endSessionForm}
                  className="btn btn-quiet"
                  isSending={isBusy}
                  aria-label={`Sign out: ${session.device ?? "unnamed device"}`}
                >
                  Sign out
                </SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <SettingsAnswerText answer={answer} intent={endSessionForm} />
      <Form method="post" action="/logout" reloadDocument className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-2">
        <label className="flex min-h-11 items-center gap-2.5">
          <input type="checkbox" name="revoke_tokens" className="tick size-5 [--tick:var(--color-ct)]" />
          Revoke my access tokens too
        </label>
        <button type="submit" name="everywhere" value="1" className="btn btn-danger">
          Sign out everywhere
        </button>
      </Form>
    </SettingsSection>
  );
}
