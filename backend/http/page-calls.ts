import type { FoundSession } from "../accounts/sessions.ts";

/** What the calls that one page makes to the API, while it is drawn, have in common. */
export interface PageCalls {
  /** Whose session a token is, by token: looked up once for all of them. */
  sessions: Map<string, Promise<FoundSession | null>>;
}
