import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";

/** Leaves the visitor on the page they are on: a form that is answered so changes nothing, with or without JavaScript. */
const staying = () => new Response(null, { status: 204 });

/**
 * Sends the visitor to the identity provider. When that cannot be started: a line in the log, no message, no navigation.
 * @param next page to show afterwards; the API takes paths of this site alone
 */
async function startSignIn({ request, context }: LoaderFunctionArgs, next: unknown, onFailure: () => Response) {
  const client = api(request, context);
  try {
    const { auth_url: authUrl } = await client.auth.startSignIn({
      query: { next: typeof next === "string" ? next : "/" },
    });
    return redirect(authUrl, { headers: client.responseHeaders({ "Cache-Control": "no-store" }) });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    console.error("Login error:", error.message);
    return onFailure();
  }
}

export const loader = (args: LoaderFunctionArgs) =>
  startSignIn(args, new URL(args.request.url).searchParams.get("next"), () => redirect("/"));

export async function action(args: ActionFunctionArgs) {
  const form = await formOf(args.request);
  return startSignIn(args, form.get("next"), staying);
}
