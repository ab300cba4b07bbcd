import { Link, useLocation } from "@remix-run/react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { limits } from "../../../contract/limits.ts";
import type { Clip } from "../../../contract/schemas/clips.ts";
import { isRenderActive } from "../../../contract/statuses.ts";
import { CopyButton } from "../../copying/copy-button.tsx";
import { usePolling } from "../asking/use-polling.ts";
import { clipLink } from "../clip-link.ts";
import { forgetAwaited, useAwaited } from "../notices/awaited-clips.ts";
import { Icon } from "../pieces/icon.tsx";
import { productName } from "../product-name.ts";
import { uncoveredFocus } from "../uncovered-focus.ts";

type AwaitedClip = Pick<Clip, "id" | "public_id" | "display_name" | "render_status" | "render_error" | "video_url">;

/** Long enough to read it and to come to it by the keyboard. */
const noticeMs = 20_000;
const titleSign = "✓ Clip ready · ";

/**
 * Asks for the clips that the player waits for and that the page itself does not ask for, and says when one is done: by a notice
 * with the way to it, by the tab's title, by the browser where that is allowed and the tab is hidden, and to screen readers.
 */
export function ReadyWatcher() {
  const { ids, shown } = useAwaited();
  const { pathname } = useLocation();
  const isHidden = useHidden();
  const [done, setDone] = useState<AwaitedClip[]>([]);
  // A page that is hidden asks for nothing itself.
  const asked = ids.filter((id) => isHidden || !shown.includes(id));
  const url = asked.length > 0 ? `/clips/status?${asked.map((id) => `id=${id}`).join("&")}` : null;

  usePolling<{ clips: AwaitedClip[] }>(
    url,
    limits.clipStatusPollMs,
    ({ clips }) => {
      const finished = clips.filter((clip) => !isRenderActive(clip.render_status));
      for (const id of asked) {
        // Deleted, or another player's.
        if (!clips.some((clip) => clip.id === id)) forgetAwaited(id);
      }
      for (const clip of finished) {
        forgetAwaited(clip.id);
        if (isHidden) notify(clip);
      }
      if (finished.length > 0)
        setDone((before) => [...before.filter(({ id }) => !finished.some((one) => one.id === id)), ...finished]);
    },
    { evenHidden: true },
  );

  // On its own page, which an unlisted clip has under a name with its key, a clip shows itself.
  const notices = done.filter((clip) => !isPageOf(clip, pathname));
  // Of a hidden tab nothing but the title is seen.
  const isTitled = (isHidden ? done : notices).some((clip) => clip.render_status === "completed");
  useEffect(() => {
    // Seen there, it is no news anywhere else.
    if (!isHidden) setDone((before) => before.filter((clip) => !isPageOf(clip, pathname)));
  }, [isHidden, pathname]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page has a title of its own.
  useEffect(() => {
    if (!isTitled) return;
    const before = document.title.replace(titleSign, "");
    document.title = titleSign + before;
    return () => {
      document.title = document.title.replace(titleSign, "");
    };
  }, [isTitled, pathname]);

  const close = (id: number) => {
    setDone((before) => before.filter((clip) => clip.id !== id));
    document.getElementById("content")?.focus({ preventScroll: true });
  };
  return (
    <ul ref={uncoveredFocus} className="ready-notices grid justify-items-end gap-2 empty:hidden">
      {notices.map((clip) => (
        <Notice
          key={clip.id}
          clip={clip}
          isSeen={!isHidden}
          onGone={() => setDone((before) => before.filter(({ id }) => id !== clip.id))}
          onClose={() => close(clip.id)}
        />
      ))}
    </ul>
  );
}

const isPageOf = (clip: AwaitedClip, pathname: string) =>
  [clip.id, clip.public_id].some((name) => pathname === `/clips/${name}`);

interface NoticeProps {
  clip: AwaitedClip;
  /** Whether its tab is. */
  isSeen: boolean;
  /** It has been there long enough. */
  onGone: () => void;
  onClose: () => void;
}

/** Goes by itself, but not while somebody points at it, is in it by the keyboard, or cannot see it. */
function Notice({ clip, isSeen, onGone, onClose }: NoticeProps) {
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isTimed = isSeen && !isPointedAt && !hasFocus;
  const gone = useRef(onGone);
  gone.current = onGone;
  useEffect(() => {
    if (!isTimed) return;
    const timer = setTimeout(() => gone.current(), noticeMs);
    return () => clearTimeout(timer);
  }, [isTimed]);
  const isReady = clip.render_status === "completed";
  const field = useRef<HTMLInputElement>(null);
  const address = clipLink(clip);
  return (
    <li
      className="panel w-full max-w-sm animate-rise p-4 shadow-2xl"
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      <div className="flex items-start gap-3">
        <Icon name={isReady ? "check" : "alert"} className={`mt-0.5 size-6 ${isReady ? "text-win" : "text-loss"}`} />
        <p className="min-w-0 flex-1">
          <span className="block font-semibold">
            {isReady ? "Your clip is ready" : "Your clip could not be rendered"}
          </span>
          <bdi className="line-clamp-2 text-sm break-words text-fog">{clip.display_name}</bdi>
        </p>
        <button type="button" aria-label="Close the notice" className="icon-btn -mt-2 -mr-2" onClick={onClose}>
          <span aria-hidden="true" className="text-xl leading-none">
            ×
          </span>
        </button>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Link to={`/clips/${clip.id}`} className="btn btn-primary" onClick={onClose}>
          Open
        </Link>
        {isReady ? <CopyButton text={address} label="Copy link" field={() => field.current} /> : null}
      </div>
      {isReady ? (
        <input
          ref={field}
          readOnly
          aria-label="Address of the clip"
          value={address}
          onFocus={(event) => event.target.select()}
          className="field mt-3 text-sm"
        />
      ) : null}
    </li>
  );
}

/** By the browser, if the player has allowed it. One notice a clip, however many tabs are open. */
function notify({ id, display_name: name, render_status: status }: AwaitedClip): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const body = status === "completed" ? "Your clip is ready." : "Your clip could not be rendered.";
  try {
    const notice = new Notification(name, {
      body: `${body} ${productName}`,
      tag: `clip-${id}`,
      icon: "/apple-touch-icon.png",
    });
    notice.onclick = () => {
      window.focus();
      location.assign(`/clips/${id}`);
    };
  } catch {
    // Chromium on Android has the name and allows it for service workers only.
  }
}

function useHidden(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener("visibilitychange", listener);
      return () => document.removeEventListener("visibilitychange", listener);
    },
    () => document.visibilityState === "hidden",
    () => false,
  );
}
