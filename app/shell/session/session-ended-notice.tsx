import { Icon } from "../pieces/icon.tsx";
import { sessionEndedText } from "./ended-session.ts";
import { SignInButton } from "./sign-in-button.tsx";

/** Below the header of a page whose session has ended while it was open. */
export function SessionEndedNotice({ isShown }: { isShown: boolean }) {
  return (
    <div
      role="alert"
      className="session-notice pointer-events-none fixed inset-x-0 top-18 z-40 flex justify-center px-4"
    >
      {isShown ? (
        <div className="panel pointer-events-auto flex animate-rise flex-wrap items-center justify-center gap-x-5 gap-y-3 border-tee/50 bg-ink p-3.5 shadow-lg">
          <p className="flex items-center gap-3 font-semibold text-tee">
            <Icon name="alert" />
            {sessionEndedText}
          </p>
          <SignInButton />
        </div>
      ) : null}
    </div>
  );
}
