import { type SyntheticEvent, useRef, useState } from "react";
import { outOfReachText } from "../api/api-failure.ts";
import { askServer } from "../shell/asking/ask-server.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { askEarly, groundAddresses, prepareStage, stillsAddress, trackAddress } from "./early-parts.ts";

const noNetworkText = "There is no network. Check your connection and try again.";

export interface PreviewAddresses {
  /** "/matches/ID" */
  matchPath: string;
  /** Prefix of the names of the match's pictures; null until they are made, and there is no preview until then. */
  picturesUrl: string | null;
}

interface PreviewButtonProps extends PreviewAddresses {
  /** The id of a highlight, or "selection". */
  value: number | "selection";
  /** The control's accessible name, if it is more than its text; begins with "Preview". */
  label?: string;
  text?: string;
  disabled?: boolean;
  className: string;
  /** Whether it lies over a card's picture. */
  isOverPicture?: boolean;
}

/**
 * Plays a highlight in its list item, or the selection above the list. It is a button of the form: before and without JavaScript it
 * leads to a page with the stills. The player is loaded when it is pointed at.
 */
export function PreviewButton({
  matchPath,
  picturesUrl,
  label,
  text = "Preview",
  isOverPicture,
  ...button
}: PreviewButtonProps) {
  const control = useRef<HTMLButtonElement>(null);
  /** Why it could not be loaded: a new object each time, so that it is announced again. */
  const [failure, setFailure] = useState<{ text: string; at: number } | null>(null);
  if (!picturesUrl) return null;
  const withOpener = (name: "openPreview" | "preparePreview", pressed: HTMLButtonElement) => {
    prepareStage();
    askEarly(Object.values(groundAddresses(picturesUrl)));
    return import("./viewer/open-preview.tsx").then((opener) => opener[name](pressed, matchPath, picturesUrl));
  };
  const prepare = ({ currentTarget }: SyntheticEvent<HTMLButtonElement>) => {
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (!connection?.saveData && !document.querySelector(".preview-place"))
      withOpener("preparePreview", currentTarget).catch(() => {});
  };
  const open = (event: SyntheticEvent) => {
    event.preventDefault();
    const pressed = control.current as HTMLButtonElement;
    const fields = new FormData(pressed.form ?? undefined);
    const chosen = button.value === "selection" ? fields.getAll("highlight") : [button.value];
    if (chosen.length > 0) askEarly([trackAddress(matchPath, { highlights: chosen.join(",") })]);
    withOpener("openPreview", pressed).then(
      () => setFailure(null),
      () => {
        // A newer server may no longer have the file: then this leads where the form would. Without a network that would
        // be the browser's error page, and the ticks would be lost.
        const stills = stillsAddress(matchPath, fields, `${button.value}`);
        return askServer(stills, { method: "HEAD" }).then(
          () => location.assign(stills),
          () => setFailure({ text: navigator.onLine ? outOfReachText : noNetworkText, at: Date.now() }),
        );
      },
    );
  };
  const drawn = (
    <button
      {...button}
      ref={control}
      name="preview"
      formMethod="get"
      formAction={`${matchPath}/preview`}
      aria-label={label}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={open}
    >
      <Icon name="play" />
      <span>{text}</span>
    </button>
  );
  return (
    <>
      {isOverPicture ? <span className="highlight-picture preview-over">{drawn}</span> : drawn}
      {failure ? (
        <div role="alert" className="my-2 basis-full text-sm font-semibold text-loss">
          <p key={failure.at}>{failure.text}</p>
          <button type="button" className="btn btn-quiet mt-2" onClick={open}>
            Try again
          </button>
        </div>
      ) : null}
    </>
  );
}
