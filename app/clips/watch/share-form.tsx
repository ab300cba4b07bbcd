import { type FormEvent, useEffect, useRef, useState } from "react";
import type { ClipFormat } from "../../../contract/clip-formats.ts";
import { CopyButton } from "../../copying/copy-button.tsx";
import { sharedAddress } from "../../shell/clip-link.ts";
import { positionText } from "../../shell/clock-text.ts";
import { Icon } from "../../shell/pieces/icon.tsx";
import { useHydrated } from "../../shell/use-hydrated.ts";
import { startTime } from "./start-time.ts";

export interface SharedFile {
  label: string;
  url: string;
  /** Name of the saved file. */
  name: string;
}

export interface ShareFormProps {
  title: string;
  /** Absolute address of the clip's page. */
  address: string;
  /** The version of its video: platforms cache previews by address, so an unfinished clip must have another address. */
  version: string | null;
  size: { width: number; height: number };
  /** The format that is shown, if it is not the clip's first. */
  format: ClipFormat | undefined;
  durationSeconds: number | null;
  /** The second at which the page's own address begins. */
  startSeconds: number;
  /** What takes the focus: the address if the form was opened by a click, or the start if that had it. */
  takesFocus?: "address" | "start" | undefined;
  /** The start as typed before the form was loaded. */
  typedStart?: string | undefined;
  files: readonly SharedFile[];
}

/** The code that shows a clip on another site. */
export function embedCode(
  address: string,
  startSeconds: number,
  { width, height }: ShareFormProps["size"],
  format?: ClipFormat,
): string {
  const start = startSeconds > 0 ? `?t=${startSeconds}` : "";
  return `<iframe src="${inFormat(`${address}/embed${start}`, format)}" width="${width}" height="${height}" frameborder="0" allow="fullscreen" allowfullscreen></iframe>`;
}

/** An address that shows another format than the clip's first. */
function inFormat(address: string, format: ClipFormat | undefined): string {
  return format ? `${address}${address.includes("?") ? "&" : "?"}format=${format}` : address;
}

/**
 * Address, embed code and start time. Works without JavaScript. If the clipboard cannot be written, the field's text is selected for
 * copying by hand.
 */
export default function ShareForm(props: ShareFormProps) {
  const { title, version, size, format, durationSeconds, startSeconds, takesFocus, typedStart } = props;
  const isHydrated = useHydrated();
  const field = useRef<HTMLInputElement>(null);
  const startField = useRef<HTMLInputElement>(null);
  const [start, setStart] = useState(typedStart ?? (startSeconds > 0 ? positionText(startSeconds) : ""));
  // Focused, the address selects its text.
  useEffect(() => {
    if (takesFocus) (takesFocus === "start" ? startField : field).current?.focus();
  }, [takesFocus]);
  // In the browser, the address under which the page is open: a server may have several.
  const address = isHydrated ? location.origin + location.pathname : props.address;
  const seconds = startTime(start, durationSeconds);
  const shared = inFormat(sharedAddress(address, version, seconds), format);
  const hasShare = isHydrated && "share" in navigator;
  return (
    <form
      method="get"
      action="#share"
      id="share"
      className="share-panel panel grid gap-4"
      onSubmit={(event: FormEvent) => event.preventDefault()}
    >
      <input type="hidden" name="share" value="open" />
      {format ? <input type="hidden" name="format" value={format} /> : null}
      <div className="grid gap-1.5">
        <label htmlFor="share-address" className="text-sm font-semibold text-fog">
          Address
        </label>
        <input
          ref={field}
          id="share-address"
          readOnly
          value={shared}
          onFocus={(event) => event.target.select()}
          className="field text-sm"
        />
        <div className="flex flex-wrap gap-2">
          <CopyButton text={shared} label="Copy" field={() => field.current} />
          {hasShare ? (
            <button
              type="button"
              className="btn btn-quiet"
              // Closing the share sheet rejects, which is not a failure.
              onClick={() => void navigator.share({ title, url: shared }).catch(() => {})}
            >
              <Icon name="external" />
              Send to…
            </button>
          ) : null}
        </div>
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <label className="grid flex-1 gap-1.5">
          <span className="text-sm font-semibold text-fog">Start at</span>
          <input
            ref={startField}
            name="t"
            value={start}
            onChange={(event) => setStart(event.target.value)}
            placeholder="0:00"
            autoComplete="off"
            inputMode="numeric"
            maxLength={9}
            className="field"
          />
        </label>
        {isHydrated ? null : (
          <button type="submit" className="btn btn-quiet min-h-12">
            Set
          </button>
        )}
      </div>
      <EmbedField code={embedCode(address, seconds, size, format)} />
      {props.files.length > 0 ? (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span className="font-semibold text-fog">As a file</span>
          {props.files.map(({ label, url, name }) => (
            <a key={url} href={url} download={name} aria-label={`Save ${label}`} className="btn btn-quiet px-3">
              {label}
            </a>
          ))}
        </p>
      ) : null}
    </form>
  );
}

function EmbedField({ code }: { code: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div className="grid gap-1.5">
      <label htmlFor="share-embed" className="text-sm font-semibold text-fog">
        Embed code
      </label>
      <textarea
        ref={field}
        id="share-embed"
        readOnly
        rows={3}
        value={code}
        onFocus={(event) => event.target.select()}
        className="field resize-none font-mono text-xs leading-snug break-all"
      />
      <div>
        <CopyButton text={code} label="Copy the code" field={() => field.current} />
      </div>
    </div>
  );
}
