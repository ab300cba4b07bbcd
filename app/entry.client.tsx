import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";

/** On a slow line pictures come long after the scripts: who waits for them may press something meanwhile. */
const longestWaitMs = 500;

/** Taking the page over keeps a slow phone busy for most of a second: what is in sight is painted before, unless somebody presses something. */
function whenPainted(takeOver: () => void): void {
  const afterPaint = () => requestAnimationFrame(() => setTimeout(takeOver));
  if (document.readyState === "complete") afterPaint();
  else addEventListener("load", afterPaint, { once: true });
  for (const press of ["pointerdown", "keydown"]) addEventListener(press, takeOver, { once: true, capture: true });
  setTimeout(takeOver, longestWaitMs);
}

let isTakenOver = false;

whenPainted(() => {
  if (isTakenOver) return;
  isTakenOver = true;
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  });
});
