import { Form, useNavigation } from "@remix-run/react";
import type { AccessToken } from "../../../contract/schemas/tokens.ts";
import { tokensPerUser } from "../../../contract/token-scopes.ts";
import { LocalTime } from "../../shell/pieces/local-time.tsx";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { type SettingsAnswer, SettingsAnswerText } from "../settings-answer.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { revokeTokenForm } from "./token-form.ts";

interface TokensProps {
  tokens: AccessToken[];
  answer: SettingsAnswer | undefined;
  /** The one that was made just now. */
  newId: number | undefined;
}

/** A player's tokens, each with what it may do, when it was used, and a way to end it. */
export function TokensSection({ tokens, answer, newId }: TokensProps) {
  const isBusy = useNavigation().state === "submitting";
  return (
    <SettingsSection
      id="tokens"
      title="Your tokens"
      lead={
        tokens.length === 0
          ? `No tokens yet. You can have up to ${tokensPerUser}.`
          : `${tokens.length} of ${tokensPerUser}. Revoking a token does not undo what it was used for.`
      }
    >
      <ul className="grid gap-2 empty:hidden">
        {tokens.map((token) => (
          <li
            key={token.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-lg border border-line bg-ink px-4 py-3"
          >
            <div className="min-w-0 flex-1 basis-64">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
                <bdi className="min-w-0 wrap-anywhere">{token.name}</bdi>
                {token.id === newId ? (
                  <span className="rounded bg-win/15 px-2 py-0.5 text-sm text-win">New</span>
                ) : null}
                {token.scopes.map((scope) => (
                  <span key={scope} className="rounded bg-ct/12 px-2 py-0.5 font-mono text-sm text-ct">
                    {scope}
                  </span>
                ))}
              </p>
              <p className="mt-1 font-mono text-sm break-all text-fog">{token.first_characters}…</p>
              <p className="text-sm text-fog">
                {token.last_used_at ? (
                  <>
                    Last used <LocalTime iso={token.last_used_at} />
                  </>
                ) : (
                  "Never used"
                )}{" "}
                · made <LocalTime iso={token.created_at} />
                {token.expires_at ? (
                  <>
                    {" "}
                    · expires <LocalTime iso={token.expires_at} />
                  </>
                ) : null}
              </p>
            </div>
            <Form method="post" preventScrollReset>
              <input type="hidden" name="token" value={token.id} />
              <SubmitButton
                name="intent"
                value={revokeTokenForm}
                className="btn btn-danger"
                isSending={isBusy}
                aria-label={`Revoke: ${token.name}`}
              >
                Revoke
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
      <SettingsAnswerText answer={answer} intent={revokeTokenForm} />
    </SettingsSection>
  );
}
