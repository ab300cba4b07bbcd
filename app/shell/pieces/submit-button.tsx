import type { ButtonHTMLAttributes } from "react";
import { useHeirOfFocus } from "../heir-of-focus.ts";

interface SubmitButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Its form is on its way: a second press does nothing. */
  isSending: boolean;
}

/**
 * Sends its form. While that is on its way it keeps the focus, which browsers take from what is `disabled`; where it is gone
 * afterwards, what it stood in gets the focus.
 */
export function SubmitButton({ isSending, children, ...button }: SubmitButtonProps) {
  const ref = useHeirOfFocus<HTMLButtonElement>();
  return (
    <button
      {...button}
      ref={ref}
      type="submit"
      aria-disabled={isSending || undefined}
      // Enter in a field presses it as well.
      onClick={(event) => {
        if (isSending) event.preventDefault();
      }}
    >
      {children}
    </button>
  );
}
