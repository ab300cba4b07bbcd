import { type FormEvent, useRef, useState } from "react";
import { Icon } from "../../shell/pieces/icon.tsx";
import { useHydrated } from "../../shell/use-hydrated.ts";
import { clockTime, startTime } from "./start-time.ts";

export interface SharedFile {
  label: string;
  url: string;
  /** Name of the saved file. */
  name: string;
}

interface SharePanelProps {
  title: string;
  /** Absolute address of the clip's page. */
  address: string;
  /** The version of its video: platforms keep the preview of an address, so that of an unfinished clip must not be the same. */
  version: string | null;
  size: { width: number; height: number };
  durationSeconds: number | null;
  /** The second at which the page's own address begins, and whether it asks for the panel to be open. */
  startSeconds: number;
  isOpen: boolean;
  files: readonly SharedFile[];
}

/** The address of a clip as it is shared. @param startSeconds 0 for the beginning */
export function sharedAddress(address: string, version: string | null, startSeconds: number): string {
  const query = new URLSearchParams();
  if (version) query.set("v", version);
  if (startSeconds > 0) query.set("t", String(startSeconds));
  return query.size > 0 ? `${address}?${query}` : address;
}

/** The code that shows a clip on another site. */
export function embedCode(address: string, startSeconds: number, { width, height }: SharePanelProps["size"]): string {
  const start = startSeconds > 0 ? `?t=${startSeconds}` : "";
  return `<iframe src="${address}/embed${start}" width="${width}" height="${height}" frameborder="0" allow="fullscreen" allowfullscreen></iframe>`;
}

/**
 * Address, embed code and start time, for every browser: opened without JavaScript, copied where the clipboard may be written, and
 * else by the field, whose text is selected.
 */
export function SharePanel(props: SharePanelProps) {
  const { title, version, size, durationSeconds, isOpen } = props;
  const isHydrated = useHydrated();
  const panel = useRef<HTMLDetailsElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [start, setStart] = useState(props.startSeconds > 0 ? clockTime(props.startSeconds) : "");
  // In the browser the address under which the page is open: a server may be known by several.
  const address = isHydrated ? location.origin + location.pathname : props.address;
  const seconds = startTime(start, durationSeconds);
  const shared = sharedAddress(address, version, seconds);
  const hasShare = isHydrated && "share" in navigator;
  return (
    <details
      ref={panel}
      open={isOpen || undefined}
      className="group/share relative"
      onToggle={(event) => {
        // Focused, it selects its text.
        if (event.currentTarget.open) field.current?.focus();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !panel.current?.open) return;
        panel.current.open = false;
        panel.current.querySelector("summary")?.focus();
      }}
    >
      <summary className="btn btn-primary list-none [&::-webkit-details-marker]:hidden">
        <Icon name="share" />
        Share
      </summary>
      <form
        method="get"
        action="#share"
        id="share"
        className="panel z-20 mt-2 grid w-[min(26rem,calc(100vw-2rem))] gap-4 p-4 shadow-2xl sm:absolute sm:top-full sm:left-0"
        onSubmit={(event: FormEvent) => event.preventDefault()}
      >
        <input type="hidden" name="share" value="open" />
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
                // Closing the share sheet rejects, which is no failure.
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
        <EmbedField code={embedCode(address, seconds, size)} />
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
    </details>
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

const noticeMs = 2500;

interface CopyButtonProps {
  text: string;
  label: string;
  /** Holds the text, selected where it cannot be copied. */
  field: () => HTMLInputElement | HTMLTextAreaElement | null;
}

/** Copies, by the clipboard or as browsers did before; where neither is allowed, says how to do it by hand. */
function CopyButton({ text, label, field }: CopyButtonProps) {
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
