import { type ReactNode, useState } from "react";
import { useHydrated } from "../use-hydrated.ts";

const isServer = typeof document === "undefined";
/** Empty HTML: when React hydrates an element, it leaves the existing content as it is. */
const asDrawn = { __html: "" };

/**
 * Keeps content that the server has rendered and that needs no script, including fields of a form, without loading its code. If the page came
 * without the server's HTML, by a link within the product, its code is loaded and it is rendered.
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
