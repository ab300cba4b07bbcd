import { useSearchParams } from "@remix-run/react";
import { signInFailureText } from "../../../contract/sign-in-failures.ts";
import { Icon } from "../pieces/icon.tsx";
import { sessionEndedText } from "./ended-session.ts";
import { SignInButton } from "./sign-in-button.tsx";
import { useSessionUser } from "./use-session-user.ts";

/** Why somebody who is not signed in was led here: a sign-in that did not succeed, a session that has ended, a page for members. */
export function SignInProblem() {
  const [query] = useSearchParams();
  const isSignedIn = useSessionUser() !== null;
  const reason = query.get("login");
  const isForMembers = reason === "members" && !isSignedIn;
  const hasEnded = reason === "ended" && !isSignedIn;
  if (!hasEnded && !isForMembers && reason !== "failed") return null;
  const problem = isForMembers ? "This page is for members. Please sign in." : signInFailureText(query.get("reason"));
  return (
    <div className="panel mb-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4">
      <p role="alert" className="flex items-center gap-3 font-semibold text-tee">
        <Icon name="alert" />
        {hasEnded ? sessionEndedText : problem}
      </p>
      {hasEnded ? <SignInButton /> : null}
    </div>
  );
}
