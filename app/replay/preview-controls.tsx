import type { SyntheticEvent } from "react";
import { Icon } from "../shell/pieces/icon.tsx";
import { askEarly, groundAddresses, prepareStage, stillsAddress, trackAddress } from "./early-parts.ts";

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
 * leads to a page with the stills. What plays is loaded when it is pointed at.
 */
export function PreviewButton({ matchPath, picturesUrl, label, text = "Preview", ...button }: PreviewButtonProps) {
  if (!picturesUrl) return null;
  const withOpener = (name: "openPreview" | "preparePreview", { currentTarget }: SyntheticEvent<HTMLButtonElement>) => {
    prepareStage();
    askEarly(Object.values(groundAddresses(picturesUrl)));
    return import("./viewer/open-preview.tsx").then((opener) => opener[name](currentTarget, matchPath, picturesUrl));
  };
  const prepare = (event: SyntheticEvent<HTMLButtonElement>) => {
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (!connection?.saveData && !document.querySelector(".preview-place"))
      withOpener("preparePreview", event).catch(() => {});
  };
  return (
    <button
      {...button}
      name="preview"
      formMethod="get"
      formAction={`${matchPath}/preview`}
      aria-label={label}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget.form ?? undefined);
        const chosen = button.value === "selection" ? fields.getAll("highlight") : [button.value];
        if (chosen.length > 0) askEarly([trackAddress(matchPath, { highlights: chosen.join(",") })]);
        // What is not to be had, offline or of a server that is newer than this page: where the form leads without it.
        withOpener("openPreview", event).catch(() => {
          location.assign(stillsAddress(matchPath, fields, `${button.value}`));
        });
      }}
    >
      <Icon name="play" />
      <span>{text}</span>
    </button>
  );
}
