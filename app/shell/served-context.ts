import { createContext } from "react";

/** What only the server knows of the page that it draws. */
interface Served {
  /** The nonce of the page's Content-Security-Policy; undefined when the server sends none. */
  nonce?: string | undefined;
  /** Whether the page loads itself again where it shows something that is under way. */
  refreshes?: boolean;
}

/** Empty in the browser. */
export const ServedContext = createContext<Served>({});
