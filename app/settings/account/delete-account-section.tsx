import { Form, useNavigation } from "@remix-run/react";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { type SettingsAnswer, SettingsAnswerText } from "../settings-answer.tsx";
import { SettingsSection } from "../settings-section.tsx";

/** Name of the form that deletes the account. */
export const deleteAccountForm = "delete-account";

interface DeleteAccountProps {
  steamId: string;
  clips: number;
  answer: SettingsAnswer | undefined;
}

/** The end of an account, behind a box that has to be ticked. */
export function DeleteAccountSection({ steamId, clips, answer }: DeleteAccountProps) {
  const isBusy = useNavigation().state === "submitting";
  return (
    <SettingsSection
      id="delete"
      title="Delete account"
      lead="Your matches, clips, videos, likes and the moments you marked are deleted, and links to your clips stop working. This cannot be undone. Matches that other players imported, and clips they made of what you marked, are theirs and stay."
    >
      <Form method="post" preventScrollReset>
        <input type="hidden" name="steam_id" value={steamId} />
        <label className="flex items-start gap-3 py-1">
          <input
            type="checkbox"
            name="understood"
            required
            className="tick mt-0.5 size-6 [--tick:var(--color-flare)]"
          />
          <span>
            Delete my account{clips > 0 ? ` with ${clips === 1 ? "its clip" : `all ${clips} clips`}` : ""}, for good
          </span>
        </label>
        <SubmitButton name="intent" value={deleteAccountForm} className="btn btn-danger mt-4" isSending={isBusy}>
          {isBusy ? "Deleting..." : "Delete my account"}
        </SubmitButton>
      </Form>
      <SettingsAnswerText answer={answer} intent={deleteAccountForm} />
    </SettingsSection>
  );
}
