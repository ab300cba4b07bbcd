import { createContext } from "react";

/** The nonce of the page's Content-Security-Policy; undefined in the browser and when the server sends none. */
export const NonceContext = createContext<string | undefined>(undefined);
