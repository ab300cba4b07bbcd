import { Form, useNavigation } from "@remix-run/react";
import { Icon } from "../../shell/pieces/icon.tsx";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";

interface MadeForYouProps {
  /** As addresses name it. */
  address: string;
  name: string;
  /** Where to come back to. */
  from: "list" | "clip";
}

/** The mark of a clip that nobody pressed for, for its player, and how it goes. */
export function MadeForYou({ address, name, from }: MadeForYouProps) {
  const isSending = useNavigation().formAction === `/clips/${address}/keep`;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="rounded bg-ct/15 px-2 py-0.5 text-sm font-semibold text-ct">Made for you</span>
      <Form method="post" action={`/clips/${address}/keep`} preventScrollReset className="above-cover">
        <input type="hidden" name="from" value={from} />
        <SubmitButton isSending={isSending} className="btn btn-quiet min-h-11 px-3 text-sm" aria-label={`Keep ${name}`}>
          <Icon name="check" className="size-4" />
          Keep
        </SubmitButton>
      </Form>
    </div>
  );
}
