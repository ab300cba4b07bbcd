import { Link } from "@remix-run/react";
import { type ReactNode, useRef, useState } from "react";
import { giveFocus } from "../heir-of-focus.ts";
import { announce } from "../notices/awaited-clips.ts";
import type { ConfirmDialog } from "../on-demand/confirm-dialog.tsx";
import { Icon } from "./icon.tsx";

interface DeleteButtonProps {
  label: string;
  /** Id of an element that tells it from other buttons with the same label. */
  describedBy?: string;
  title: string;
  /** Route of the confirm page, which also deletes. */
  to: string;
  question: ReactNode;
  failureText?: string;
  onDone: () => void;
}

/** Opens the dialog; before and without JavaScript it is a link to the confirm page. */
export function DeleteButton({ label, describedBy, title, to, question, failureText, onDone }: DeleteButtonProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const [Dialog, setDialog] = useState<typeof ConfirmDialog | null>(null);
  return (
    <>
      <Link
        ref={link}
        to={to}
        aria-label={label}
        aria-describedby={describedBy}
        title={label}
        className="icon-btn above-cover hover:!text-loss"
        onClick={(event) => {
          event.preventDefault();
          // If the dialog cannot be loaded, the link is followed.
          import("../on-demand/confirm-dialog.tsx").then(
            (loaded) => setDialog(() => loaded.ConfirmDialog),
            () => location.assign(to),
          );
        }}
      >
        <Icon name="trash" />
      </Link>
      {Dialog ? (
        <Dialog
          title={title}
          action={to}
          failureText={failureText}
          onClose={() => setDialog(null)}
          onDone={() => {
            setDialog(null);
            focusHeading(link.current);
            announce("Deleted");
            onDone();
          }}
        >
          {question}
        </Dialog>
      ) : null}
    </>
  );
}

/** The button is removed with the deleted item: the focus goes to the heading of the list. */
function focusHeading(button: HTMLElement | null): void {
  const heading = button?.closest("section, main")?.querySelector<HTMLElement>("h1, h2");
  if (heading) giveFocus(heading);
}

export function DeleteClipButton({ clip, onDone }: { clip: { id: number; display_name: string }; onDone: () => void }) {
  return (
    <DeleteButton
      label={`Delete ${clip.display_name}`}
      title="Delete Clip"
      to={`/clips/${clip.id}/delete`}
      question={deleteClipQuestion(clip.display_name)}
      failureText="Failed to delete clip"
      onDone={onDone}
    />
  );
}

/** The clip's name is isolated, so that its direction of text does not turn the words around it. */
export function deleteClipQuestion(name: string): ReactNode {
  return (
    <>
      {'Are you sure you want to delete "'}
      <bdi>{name}</bdi>
      {'"? This will permanently remove the clip from your account. This action cannot be undone.'}
    </>
  );
}

/** @param match the name of its map, which a demo can choose freely */
export function deleteMatchQuestion(match: string): ReactNode {
  return (
    <>
      {"Are you sure you want to delete the match on "}
      <bdi>{match}</bdi>
      {" ? This action cannot be undone and will also delete all associated highlights."}
    </>
  );
}
