import { Link } from "@remix-run/react";
import { useRef, useState } from "react";
import { isRenderActive } from "../../contract/statuses.ts";
import { CopyButton } from "../copying/copy-button.tsx";
import { clipLink } from "../shell/clip-link.ts";
import { NotifyButton } from "../shell/on-demand/notify-button.tsx";
import { useHydrated } from "../shell/use-hydrated.ts";
import type { ClipSummary } from "./clip-summary.ts";
import type { CreateClipResult } from "./create-clip-result.ts";
import { ClipProgress } from "./shared/clip-progress.tsx";

interface MadeClipProps {
  made: Extract<CreateClipResult, { ok: true }>;
  /** Its current state; undefined until the page has it. */
  clip: ClipSummary | undefined;
}

/**
 * The clip that the form has created, or would have created again, with a link and the address to share: anyone who opens that early
 * sees the clip once its video is ready.
 */
export default function MadeClip({ made, clip }: MadeClipProps) {
  const isHydrated = useHydrated();
  const [wasThere, setWasThere] = useState(false);
  // For a clip that existed before, the end of its render may still be observed.
  const [follows, setFollows] = useState(made.isNew);
  const isUnderWay = !clip || isRenderActive(clip.render_status);
  if (clip && isUnderWay && !follows) setFollows(true);
  if (clip && !wasThere) setWasThere(true);
  // Deleted in the meantime.
  if (!clip && wasThere) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-void/60 px-3 py-1.5 text-sm">
      {/* The end of a render is announced with the clip's name by the code that polls the page's clips. */}
      <p role={follows && !isUnderWay ? undefined : "status"} className="font-semibold">
        {!follows
          ? "You have this clip already."
          : isUnderWay
            ? made.isNew
              ? "Your clip is on its way."
              : "This clip is being made already."
            : clip.render_status === "completed"
              ? "Your clip is ready."
              : "Your clip could not be rendered."}
      </p>
      {clip && clip.render_status !== "completed" ? <ClipProgress clip={clip} /> : null}
      {clip && isUnderWay ? <NotifyButton /> : null}
      {clip && isHydrated ? <CopyAddress clip={clip} /> : null}
      <Link to={`/clips/${made.clipId}`} className="link ml-auto inline-flex min-h-11 items-center font-semibold">
        {clip?.render_status === "completed" ? "Watch it" : "Open the clip"}
      </Link>
    </div>
  );
}

function CopyAddress({ clip }: { clip: ClipSummary }) {
  const field = useRef<HTMLInputElement>(null);
  const address = clipLink(clip);
  return (
    <>
      <CopyButton text={address} label="Copy link" field={() => field.current} />
      {/* If the clipboard is refused, copying focuses this field. */}
      <input
        ref={field}
        readOnly
        aria-label="Address of the clip"
        value={address}
        onFocus={(event) => event.target.select()}
        className="field sr-only text-sm focus:not-sr-only focus:w-full"
      />
    </>
  );
}
