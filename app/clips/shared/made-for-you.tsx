import { Form } from "@remix-run/react";
import { Icon } from "../../shell/pieces/icon.tsx";

interface MadeForYouProps {
  /** As addresses name it. */
  address: string;
  name: string;
  /** Where to come back to. */
  from: "list" | "clip";
}

/** The mark of a clip that nobody pressed for, for its player, and how it goes. */
export function MadeForYou({ address, name, from }: MadeForYouProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="rounded bg-ct/15 px-2 py-0.5 text-sm font-semibold text-ct">Made for you</span>
      <Form method="post" action={`/clips/${address}/keep`} preventScrollReset className="above-cover">
        <input type="hidden" name="from" value={from} />
        <button type="submit" className="btn btn-quiet min-h-11 px-3 text-sm" aria-label={`Keep ${name}`}>
          <Icon name="check" className="size-4" />
          Keep
        </button>
      </Form>
    </div>
  );
}
