import { type ReactNode, useState } from "react";
import { useHydrated } from "../use-hydrated.ts";

const isServer = typeof document === "undefined";
/** Nothing is set: React leaves what stands in an element that it takes over. */
const asDrawn = { __html: "" };

/**
 * What the server has drawn and no script touches afterwards, fields of a form included, stays as it is, and its code is not loaded.
 * Where the page came without the server's HTML, by a link within the product, it is loaded and drawn.
 * @param children a late part
 */
export function DrawnByServer({ children }: { children: ReactNode }) {
  const [isDrawn] = useState(!useHydrated());
  return isDrawn && !isServer ? (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: see above.
    <div suppressHydrationWarning dangerouslySetInnerHTML={asDrawn} />
  ) : (
    <div>{children}</div>
  );
}
