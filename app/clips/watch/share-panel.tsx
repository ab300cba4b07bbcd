import { useLocation } from "@remix-run/react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Icon } from "../../shell/pieces/icon.tsx";
import type { ShareFormProps } from "./share-form.tsx";

export type { SharedFile } from "./share-form.tsx";

const loadForm = () => import("./share-form.tsx");
/** Used on the server. */
const DrawnForm = lazy(loadForm);
const isServer = typeof document === "undefined";
/** React keeps the server-rendered content. */
const asDrawn = { __html: "" };

interface FormMissingProps {
  address: string;
  /** @returns whether the form is loaded now */
  onRetry: () => Promise<boolean>;
}

/** Shown without a network, or after an upgrade that removed the form's file: the address is available all the same. */
function FormMissing({ address, onRetry }: FormMissingProps) {
  const [isTrying, setTrying] = useState(false);
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.set("share", "open");
  return (
    <p role="alert" className="share-panel panel">
      The share options could not be loaded. The clip’s address:{" "}
      <a href={address} className="link wrap-anywhere">
        {address}
      </a>
      {/* With a network this reloads the page, and the server draws the form. */}
      <a
        href={`${pathname}?${query}`}
        className={`btn btn-quiet mt-3 flex ${isTrying ? "opacity-60" : ""}`}
        aria-busy={isTrying}
        onClick={(event) => {
          event.preventDefault();
          if (isTrying) return;
          const { href } = event.currentTarget;
          setTrying(true);
          void onRetry().then((isThere) => {
            setTrying(false);
            if (!isThere && navigator.onLine) location.assign(href);
          });
        }}
      >
        Try again
      </a>
    </p>
  );
}

interface SharePanelProps extends ShareFormProps {
  /** The page's own address asks for the panel to be open. */
  isOpen: boolean;
}

/** Opens the sharing form, which the server has rendered for visitors without JavaScript. The script for copying is loaded when needed. */
export function SharePanel({ isOpen, ...props }: SharePanelProps) {
  const panel = useRef<HTMLDetailsElement>(null);
  const [Form, setForm] = useState<typeof DrawnForm | null>(null);
  const [isMissing, setMissing] = useState(false);
  const drawn = useRef<HTMLDivElement>(null);
  const isWanted = useRef(false);
  const [typed, setTyped] = useState<Pick<ShareFormProps, "takesFocus" | "typedStart">>({});
  const load = () =>
    loadForm().then(
      ({ default: loaded }) => {
        // On a slow line somebody may have typed into the server-rendered form.
        const start = drawn.current?.querySelector<HTMLInputElement>("[name=t]");
        const isAtStart = start && start === document.activeElement;
        const takesFocus = isAtStart ? "start" : isWanted.current ? "address" : undefined;
        // Synchronous: anything typed between reading the field and replacing it would be lost.
        flushSync(() => {
          setTyped({ takesFocus, typedStart: start?.value });
          setForm(() => loaded as unknown as typeof DrawnForm);
        });
        return true;
      },
      // Then only the server-rendered form is left, and none on a page that was opened by client navigation.
      () => {
        if (!drawn.current?.hasChildNodes()) setMissing(true);
        return false;
      },
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    if (isOpen) void load();
  }, []);
  return (
    <details
      ref={panel}
      open={isOpen || undefined}
      className="group/share sm:relative"
      onToggle={({ currentTarget }) => {
        isWanted.current = currentTarget.open;
        if (!currentTarget.open) return;
        if (Form) currentTarget.querySelector<HTMLInputElement>("#share-address")?.focus();
        else void load();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !panel.current?.open) return;
        panel.current.open = false;
        panel.current.querySelector("summary")?.focus();
      }}
    >
      <summary
        className="btn btn-primary list-none [&::-webkit-details-marker]:hidden"
        onPointerEnter={() => void loadForm().catch(() => {})}
      >
        <Icon name="share" />
        Share
      </summary>
      {isServer ? (
        <div>
          <Suspense>
            <DrawnForm {...props} />
          </Suspense>
        </div>
      ) : Form ? (
        <div key="form">
          <Form {...props} {...typed} />
        </div>
      ) : (
        <>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set; React leaves what it takes over as it is. */}
          <div ref={drawn} suppressHydrationWarning dangerouslySetInnerHTML={asDrawn} />
          {isMissing ? <FormMissing address={props.address} onRetry={load} /> : null}
        </>
      )}
    </details>
  );
}
