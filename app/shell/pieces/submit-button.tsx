import type { ButtonHTMLAttributes } from "react";
import { useHeirOfFocus } from "../heir-of-focus.ts";

interface SubmitButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The form is being sent: a second press does nothing. */
  isSending: boolean;
}

/**
 * Sends its form. It is not `disabled` while the form is being sent, because it would lose the focus. If the button is gone afterwards, the
 * section around it gets the focus.
 */
export function SubmitButton({ isSending, children, ...button }: SubmitButtonProps) {
  const ref = useHeirOfFocus<HTMLButtonElement>();
  return (
    <button
      {...button}
      ref={ref}
      type="submit"
      aria-disabled={isSending || undefined}
      // Enter in a field also ends up here.
      onClick={(event) => {
        if (isSending) event.preventDefault();
      }}
    >
      {children}
    </button>
  );
}
