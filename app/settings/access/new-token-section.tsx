import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { CreateToken, NewAccessToken } from "../../../contract/schemas/tokens.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { tokenLifetimes, tokenScopes, tokenScopeTexts } from "../../../contract/token-scopes.ts";
import { CopyButton } from "../../copying/copy-button.tsx";
import { Icon } from "../../shell/pieces/icon.tsx";
import { LocalTime } from "../../shell/pieces/local-time.tsx";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { type SettingsAnswer, SettingsAnswerText } from "../settings-answer.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { neverEnds, newTokenForm } from "./token-form.ts";

interface NewTokenProps {
  answer: SettingsAnswer | undefined;
  /** The one that was made just now, on this page and no other. */
  made: NewAccessToken | null;
  /** What was asked for and refused. */
  typed: CreateToken | undefined;
}

/** Makes a token, and shows the one that was made. */
export function NewTokenSection({ answer, made, typed }: NewTokenProps) {
  const isBusy = useNavigation().state === "submitting";
  return (
    <SettingsSection
      id="new-token"
      title="New access token"
      lead="A token lets your own script call the API in your name. It can never delete anything or change your account."
    >
      {made ? <MadeToken made={made} /> : null}
      <Form method="post" preventScrollReset key={made?.id} className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-[1fr_14rem]">
          <label className="grid gap-1.5">
            <span className="text-sm font-semibold text-fog">Name</span>
            <input
              name="name"
              required
              maxLength={textLimits.tokenName}
              defaultValue={typed?.name}
              placeholder="Clip bot on my server"
              autoComplete="off"
              className="field"
            />
          </label>
          <label className="grid gap-1.5">
            <span className="text-sm font-semibold text-fog">Expires</span>
            <select
              name="days"
              className="field"
              defaultValue={typed ? String(typed.expires_in_days ?? neverEnds) : "90"}
            >
              {tokenLifetimes.map((days) => (
                <option key={days} value={days ?? neverEnds}>
                  {days ? `after ${days} days` : "when I revoke it"}
                </option>
              ))}
            </select>
          </label>
        </div>
        <fieldset>
          <legend className="text-sm font-semibold text-fog">What it may do</legend>
          <div className="mt-2 grid gap-2 sm:grid-cols-3">
            {tokenScopes.map((scope) => (
              <label
                key={scope}
                className="flex gap-3 rounded-lg border border-line bg-ink px-3 py-2.5 transition-colors hover:border-line-2 has-checked:border-ct/60 has-checked:bg-ct/8"
              >
                <input
                  type="checkbox"
                  name="scope"
                  value={scope}
                  defaultChecked={typed ? typed.scopes?.includes(scope) : scope === "read"}
                  className="tick mt-0.5 size-5 [--tick:var(--color-ct)]"
                />
                <span className="min-w-0">
                  <span className="block font-mono font-semibold">{scope}</span>
                  <span className="block text-sm leading-snug text-fog">{tokenScopeTexts[scope]}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <div>
          <SubmitButton name="intent" value={newTokenForm} className="btn btn-primary" isSending={isBusy}>
            <Icon name="lock" />
            Make a token
          </SubmitButton>
        </div>
      </Form>
      {made ? null : <SettingsAnswerText answer={answer} intent={newTokenForm} />}
    </SettingsSection>
  );
}

function MadeToken({ made }: { made: NewAccessToken }) {
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of each token that is made.
  useEffect(() => box.current?.focus(), [made.id]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="status"
      className="mb-6 grid gap-3 rounded-lg border border-win/50 bg-win/8 p-4 outline-none"
    >
      <p className="font-semibold">
        <Icon name="check" className="mr-2 inline size-5 text-win" />
        <bdi>{made.name}</bdi> is ready. Copy it now: it will not be shown again.
      </p>
      <input
        ref={field}
        readOnly
        aria-label="The new token"
        value={made.token}
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.target.select()}
        className="field font-mono text-sm"
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <CopyButton text={made.token} label="Copy the token" field={() => field.current} />
        <p className="text-sm text-fog">
          Keep it as safe as a password. {made.expires_at ? "It expires " : "It works until you revoke it."}
          {made.expires_at ? (
            <>
              <LocalTime iso={made.expires_at} />.
            </>
          ) : null}
        </p>
      </div>
    </div>
  );
}
