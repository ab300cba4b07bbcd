import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Icon } from "../../shell/pieces/icon.tsx";
import type { ShareFormProps } from "./share-form.tsx";

export type { SharedFile } from "./share-form.tsx";

const loadForm = () => import("./share-form.tsx");
/** On the server. */
const DrawnForm = lazy(loadForm);
const isServer = typeof document === "undefined";
/** What stands in it stays: the server has drawn it. */
const asDrawn = { __html: "" };

interface SharePanelProps extends ShareFormProps {
  /** The page's own address asks for the panel to be open. */
  isOpen: boolean;
}

/** Opens what a clip is shared by. The server has drawn it, for whom has no JavaScript; what makes it copy is loaded once it is wanted. */
export function SharePanel({ isOpen, ...props }: SharePanelProps) {
  const panel = useRef<HTMLDetailsElement>(null);
  const [Form, setForm] = useState<typeof DrawnForm | null>(null);
  const isWanted = useRef(false);
  const load = () =>
    loadForm().then(
      ({ default: loaded }) => setForm(() => loaded as unknown as typeof DrawnForm),
      // Without a network what the server has drawn is what there is.
      () => {},
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    if (isOpen) void load();
  }, []);
  return (
    <details
      ref={panel}
      open={isOpen || undefined}
      className="group/share relative"
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
          <Form {...props} takesFocus={isWanted.current} />
        </div>
      ) : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set; React leaves what it takes over as it is.
        <div suppressHydrationWarning dangerouslySetInnerHTML={asDrawn} />
      )}
    </details>
  );
}
