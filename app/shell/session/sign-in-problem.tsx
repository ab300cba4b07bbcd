import { useSearchParams } from "@remix-run/react";
import { signInFailureText } from "../../../contract/sign-in-failures.ts";
import { Icon } from "../pieces/icon.tsx";
import { sessionEndedText } from "./ended-session.ts";
import { SignInButton } from "./sign-in-button.tsx";
import { useSessionUser } from "./use-session-user.ts";
import { type LedHere, ledHere } from "./way-back.ts";

const ledHereTexts: Record<LedHere, string> = {
  ended: sessionEndedText,
  members: "This page is for members. Please sign in.",
  needed: "Sign in to open that page.",
};

/** Why somebody who is not signed in was led here, or what became of a sign-in that did not succeed. */
export function SignInProblem() {
  const [query] = useSearchParams();
  const isSignedIn = useSessionUser() !== null;
  const reason = ledHere.find((each) => each === query.get("login"));
  const problem =
    query.get("login") === "failed"
      ? signInFailureText(query.get("reason"))
      : reason && !isSignedIn
        ? ledHereTexts[reason]
        : null;
  if (!problem) return null;
  return (
    <div className="panel mb-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4">
      <p role="alert" className="flex items-center gap-3 font-semibold text-tee">
        <Icon name="alert" />
        {problem}
      </p>
      {reason === "ended" || reason === "needed" ? <SignInButton /> : null}
    </div>
  );
}
