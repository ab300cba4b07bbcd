import { parse } from "hono/utils/cookie";
import { findSession } from "../accounts/sessions.ts";
import type { Services } from "../services.ts";
import { networkOf } from "./client-address.ts";
import { sessionCookieName } from "./cookie-names.ts";
import { SharedMinute } from "./shared-minute.ts";

/**
 * Limits requests a minute by network. Once a network has used them up, each signed-in user there has as many again, so that nobody is shut
 * out by their neighbours. The database is asked only then.
 * @returns a function that counts a request: 0 when it is within the limit, else the seconds until the next minute
 */
export function limitVisitors(services: Services, scope: "pages" | "files", requestsPerMinute: number) {
  const minute = new SharedMinute(services, scope, requestsPerMinute);
  return async (request: Request, address: string): Promise<number> => {
    const waitSeconds = minute.count(networkOf(address));
    if (waitSeconds === 0) return 0;
    const name = sessionCookieName(services.config);
    const token = parse(request.headers.get("cookie") ?? "", name)[name];
    const session = token ? await findSession(services, token) : null;
    return session ? minute.count(`user ${session.user.id}`) : waitSeconds;
  };
}
