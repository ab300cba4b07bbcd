import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { api } from "../api/client.server.ts";
import { logFailure } from "../api/page-failure.server.ts";
import { clipAddressFromParams } from "../clips/clip-address-of-params.ts";

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/clips/${clipAddressFromParams(params)}`);

/** Counts a view; players send it on their first play. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  await client.clips
    .view({ parameters: { id: clipAddressFromParams(params) } })
    .catch((error: unknown) => logFailure("View:", error));
  return new Response(null, { status: 204, headers: client.responseHeaders() });
}
