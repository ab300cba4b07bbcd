import type { FoundSession } from "../accounts/sessions.ts";

/** State shared by the API calls of one page while it is rendered. */
export interface PageCalls {
  /** Sessions by token, so that all calls share one look-up. */
  sessions: Map<string, Promise<FoundSession | null>>;
}
