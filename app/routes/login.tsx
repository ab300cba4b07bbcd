import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";

/** Sends the visitor to the identity provider; when that cannot be started, back to where it began, with a line in the log. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  try {
    const { auth_url: authUrl } = await client.auth.startSteamLogin();
    return redirect(authUrl, { headers: client.responseHeaders({ "Cache-Control": "no-store" }) });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    console.error("Login error:", error.message);
    return redirect("/");
  }
}

export const action = (args: ActionFunctionArgs) => loader(args);
