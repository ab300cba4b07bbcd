import { useLocation, useRevalidator } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { useSend } from "../shell/asking/use-send.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { SubmitButton } from "../shell/pieces/submit-button.tsx";

interface MadeForYouProps {
  /** As addresses name it. */
  address: string;
  name: string;
}

/** The mark of a clip that nobody pressed for, for its player, and how it goes. */
export default function MadeForYou({ address, name }: MadeForYouProps) {
  const { pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  const { isSending, problem, send } = useSend();
  const [outcome, setOutcome] = useState<"kept" | "refused" | null>(null);
  const action = `/clips/${address}/keep`;

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    const answer = await send(action);
    // That the session has ended the page says itself.
    setOutcome(answer?.ok ? "kept" : answer?.status === 401 ? null : "refused");
    if (answer?.ok) revalidate();
  }

  // In a part of a list that was loaded further it would stand until that is loaded anew.
  if (outcome === "kept") return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="rounded bg-ct/15 px-2 py-0.5 text-sm font-semibold text-ct">Made for you</span>
      <form method="post" action={action} onSubmit={onSubmit} className="above-cover">
        <input type="hidden" name="from" value={pathname + search} />
        <SubmitButton isSending={isSending} className="btn btn-quiet min-h-11 px-3 text-sm" aria-label={`Keep ${name}`}>
          <Icon name="check" className="size-4" />
          Keep
        </SubmitButton>
      </form>
      <p role="alert" className="w-full text-sm font-semibold text-loss empty:hidden">
        {isSending ? null : (problem ?? (outcome === "refused" ? "Failed to keep the clip" : null))}
      </p>
    </div>
  );
}
