import { useState } from "react";
import { Icon } from "../shell/pieces/icon.tsx";
import { useHydrated } from "../shell/use-hydrated.ts";

const noticeMs = 2500;

interface CopyButtonProps {
  text: string;
  label: string;
  /** Holds the text, selected where it cannot be copied. */
  field: () => HTMLInputElement | HTMLTextAreaElement | null;
}

/** Copies, by the clipboard or as browsers did before; where neither is allowed, says how to do it by hand. */
export function CopyButton({ text, label, field }: CopyButtonProps) {
  const isHydrated = useHydrated();
  const [outcome, setOutcome] = useState<"" | "Copied" | "Press Ctrl+C to copy what is selected">("");

  async function copy() {
    const isCopied = await copyText(text, field());
    setOutcome(isCopied ? "Copied" : "Press Ctrl+C to copy what is selected");
    if (isCopied) setTimeout(() => setOutcome(""), noticeMs);
  }

  return (
    <>
      <button type="button" className="js-only btn btn-quiet" disabled={!isHydrated} onClick={() => void copy()}>
        <Icon name={outcome === "Copied" ? "check" : "link"} />
        {label}
      </button>
      <span role="status" className="inline-flex items-center text-sm font-semibold text-win empty:hidden">
        {outcome}
      </span>
    </>
  );
}

/** There is no clipboard on plain http, and it may be refused elsewhere. @returns false when the text is only selected */
async function copyText(text: string, field: HTMLInputElement | HTMLTextAreaElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field?.focus();
    field?.select();
    return field !== null && document.execCommand("copy");
  }
}
