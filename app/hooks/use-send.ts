import { useState } from "react";

/**
 * Sends a form to a route's action in place, one at a time. With a plain `fetch` and never through the router: without a
 * network the router fails to load the route's module and reloads the page into the browser's error page (Remix 2.17.5,
 * measured).
 */
export function useSend(): { isSending: boolean; send: (action: string) => Promise<Response | null> } {
  const [isSending, setSending] = useState(false);
  return {
    isSending,
    /** @returns null without a network. A redirect is not followed: its answer has the type "opaqueredirect" */
    async send(action) {
      setSending(true);
      try {
        return await fetch(action, {
          method: "POST",
          body: new URLSearchParams({ inPlace: "1" }),
          redirect: "manual",
        });
      } catch {
        return null;
      } finally {
        setSending(false);
      }
    },
  };
}
