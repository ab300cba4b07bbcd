import { createContext } from "react";

/** What only the server knows about the page it renders. */
interface Served {
  /** The nonce of the page's Content-Security-Policy; undefined when the server sends none. */
  nonce?: string | undefined;
  /** Whether the page reloads without JavaScript while something is under way. */
  refreshes?: boolean;
}

/** Empty in the browser. */
export const ServedContext = createContext<Served>({});
