import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useSend } from "../asking/use-send.ts";
import { SubmitButton } from "../pieces/submit-button.tsx";

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** Route whose action deletes and then redirects. */
  action: string;
  /** Shown when deleting fails; by default only sentences of refusals are shown. */
  failureText?: string | undefined;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before something is deleted. Native and modal: the browser traps the focus, closes on Escape and gives focus back. */
export function ConfirmDialog({ title, children, action, failureText, onClose, onDone }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** The caller then moves the focus, because the button is removed with the deleted item. */
  const isDone = useRef(false);
  const { isSending: isBusy, problem, send } = useSend();
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (!isDone.current && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    setFailed(false);
    const answer = await send(action);
    if (answer?.type === "opaqueredirect") {
      isDone.current = true;
      // The browser gives the focus back as it closes.
      dialog.current?.close();
      onDone();
    }
    // The page's own notice cannot be reached below a modal dialog.
    else if (answer?.status === 401) onClose();
    else setFailed(true);
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby="confirm-title"
      // Not left to the browser, whose close event comes later: a button pressed in between would open nothing.
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
      // Without support of `closedby`, Chromium closes it at a second Escape even if that is prevented.
      {...(isBusy ? { closedby: "none" } : {})}
      onClose={() => {
        if (isDone.current) return;
        if (isBusy) dialog.current?.showModal();
        else onClose();
      }}
      className="panel w-[min(30rem,calc(100vw-2rem))] animate-rise p-6 backdrop:bg-void/80 backdrop:backdrop-blur-sm"
    >
      <form method="post" action={action} onSubmit={onSubmit}>
        <h2 id="confirm-title" className="title-2">
          {title}
        </h2>
        <p className="mt-3 leading-relaxed break-words text-fog">{children}</p>
        <p role="alert" className="mt-3 font-semibold text-loss empty:hidden">
          {hasFailed ? failureText : null}
        </p>
        <p role="alert" className="mt-3 text-loss empty:hidden">
          {problem}
        </p>
        <div className="mt-6 flex justify-end gap-3">
          <button
            type="button"
            className="btn btn-quiet"
            aria-disabled={isBusy || undefined}
            onClick={() => {
              if (!isBusy) onClose();
            }}
          >
            Cancel
          </button>
          <SubmitButton className="btn btn-danger" isSending={isBusy}>
            {isBusy ? "Deleting..." : "Delete"}
          </SubmitButton>
        </div>
      </form>
    </dialog>
  );
}
