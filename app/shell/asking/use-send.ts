import { useState } from "react";
import { checkSession } from "../session/ended-session.ts";
import { askServer } from "./ask-server.ts";
import { refusalOf } from "./refused-answers.ts";

interface Send {
  isSending: boolean;
  /** Why the last form was not taken, where that is for the player to know: a limit, or a server out of reach. */
  problem: string | null;
  /**
   * @param fields of the form
   * @returns null without a network. A redirect is not followed: its answer has the type "opaqueredirect"
   */
  send(action: string, fields?: Record<string, string>): Promise<Response | null>;
}

/**
 * Sends a form to a route's action in place, one at a time. With a plain `fetch` and never through the router: without a
 * network the router fails to load the route's module and reloads the page into the browser's error page (Remix 2.17.5,
 * measured).
 */
export function useSend(): Send {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    isSending,
    problem,
    async send(action, fields = {}) {
      setSending(true);
      setProblem(null);
      const answer = await askServer(action, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams({ ...fields, inPlace: "1" }),
        redirect: "manual",
      }).catch(() => null);
      if (answer?.status === 401) await checkSession();
      setProblem(await refusalOf(answer));
      setSending(false);
      return answer;
    },
  };
}
