import type { ActionFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { sessionEnded } from "../api/page-failure.server.ts";

export const loader = () => redirect("/");

/**
 * Ends the session, or with the field `everywhere` all sessions of the player, and with `revoke_tokens` their access tokens, too. When the API fails the browser still forgets its
 * cookies: the visitor is treated as signed out.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  const isEverywhere = form.has("everywhere");
  const revokesTokens = form.has("revoke_tokens");
  try {
    await (isEverywhere
      ? client.auth.logoutEverywhere({ body: { revoke_tokens: revokesTokens } })
      : client.auth.logout());
    return redirect(isEverywhere ? `/?logout=${revokesTokens ? "all" : "everywhere"}` : "/", {
      headers: client.responseHeaders(),
    });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // Without a session here nothing says whose sessions elsewhere to end.
    if (isEverywhere && error.status === 401) return sessionEnded(false, "/");
    console.error("Logout error:", error.message);
    const headers = new Headers();
    for (const cookie of (request.headers.get("Cookie") ?? "").split(/;\s*/)) {
      const name = cookie.split("=")[0];
      if (name && name !== "tz") headers.append("Set-Cookie", `${name}=; Path=/; Max-Age=0${securely(name)}`);
    }
    return redirect(isEverywhere ? "/?logout=here" : "/", { headers });
  }
}

/** Browsers take a `__Host-` or `__Secure-` cookie, its deletion included, only with Secure. */
const securely = (name: string) => (name.startsWith("__") ? "; Secure" : "");
