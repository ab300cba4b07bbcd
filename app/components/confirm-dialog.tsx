import { useFetcher } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** Route whose action deletes; it answers `{ok}` to a form with `inPlace`. */
  action: string;
  /** Shown when it failed; without it a failure shows nothing. */
  failureText?: string;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before something is deleted. Native and modal: the browser traps the focus, closes on Escape and gives focus back. */
export function ConfirmDialog({ title, children, action, failureText, onClose, onDone }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const fetcher = useFetcher<{ ok: boolean }>();
  const isBusy = fetcher.state !== "idle" && fetcher.data?.ok !== true;
  const done = useRef(onDone);
  done.current = onDone;

  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  useEffect(() => {
    if (fetcher.data?.ok) done.current();
  }, [fetcher.data]);

  return (
    <dialog
      ref={dialog}
      aria-labelledby="confirm-title"
      onCancel={(event) => {
        if (isBusy) event.preventDefault();
      }}
      onClose={onClose}
      className="panel w-[min(30rem,calc(100vw-2rem))] animate-rise p-6 backdrop:bg-void/80 backdrop:backdrop-blur-sm"
    >
      <fetcher.Form method="post" action={action}>
        <input type="hidden" name="inPlace" value="1" />
        <h2 id="confirm-title" className="title-2">
          {title}
        </h2>
        <p className="mt-3 leading-relaxed break-words text-fog">{children}</p>
        <p role="alert" className="mt-3 font-semibold text-loss empty:hidden">
          {fetcher.data?.ok === false && !isBusy ? failureText : null}
        </p>
        <div className="mt-6 flex justify-end gap-3">
          <button type="button" className="btn btn-quiet" disabled={isBusy} onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" className="btn btn-danger" disabled={isBusy}>
            {isBusy ? "Deleting..." : "Delete"}
          </button>
        </div>
      </fetcher.Form>
    </dialog>
  );
}
