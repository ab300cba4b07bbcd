import { useState } from "react";
import { Icon } from "../shell/pieces/icon.tsx";
import { useHydrated } from "../shell/use-hydrated.ts";

const noticeMs = 2500;

/** Hands the clip's address to the system's share sheet, else to the clipboard. Without JavaScript the address is shown. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  const [isCopied, setCopied] = useState(false);
  const isHydrated = useHydrated();

  async function share() {
    const address = location.origin + location.pathname;
    if (navigator.share) {
      // Closing the share sheet rejects, which is no failure.
      await navigator.share({ title, url: address }).catch(() => {});
      return;
    }
    await navigator.clipboard?.writeText(address).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), noticeMs);
    });
  }

  if (!isHydrated) {
    return (
      <a href={url} className="btn btn-primary" rel="bookmark">
        <Icon name="share" />
        Share
      </a>
    );
  }
  return (
    <button type="button" className="btn btn-primary" onClick={() => void share()}>
      <Icon name={isCopied ? "check" : "share"} />
      <span aria-live="polite">{isCopied ? "Link copied" : "Share"}</span>
    </button>
  );
}
