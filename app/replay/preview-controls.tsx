import type { MouseEvent } from "react";
import { Icon } from "../shell/pieces/icon.tsx";

export interface PreviewAddresses {
  /** "/matches/ID" */
  matchPath: string;
  /** Before the names of the match's pictures; null until they are made, and then there is no preview either. */
  picturesUrl: string | null;
}

interface PreviewButtonProps extends PreviewAddresses {
  /** The id of a highlight, or "selection". */
  value: number | "selection";
  /** What the control is called, if that is more than its text; begins with "Preview". */
  label?: string;
  text?: string;
  disabled?: boolean;
  className: string;
}

/**
 * Plays a highlight or the selection in place: in its list item, or above all of them. Of a form: before and without JavaScript it
 * leads to a page with the stills. What plays is loaded on the press.
 */
export function PreviewButton({ matchPath, picturesUrl, label, text = "Preview", ...button }: PreviewButtonProps) {
  if (!picturesUrl) return null;
  return (
    <button
      {...button}
      name="preview"
      formMethod="get"
      formAction={`${matchPath}/preview`}
      aria-label={label}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        event.preventDefault();
        const pressed = event.currentTarget;
        void import("./viewer/open-preview.tsx").then((opener) => opener.openPreview(pressed, matchPath, picturesUrl));
      }}
    >
      <Icon name="play" />
      <span>{text}</span>
    </button>
  );
}
