import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { clipAddressFromParams } from "../clips/clip-address-of-params.ts";

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/clips/${clipAddressFromParams(params)}`);

/** Takes the mark from a clip that was made for its player, and goes back to where that was pressed. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const clipId = clipAddressFromParams(params);
  const form = await formOf(request);
  try {
    await client.automation.keepClip({ parameters: { id: clipId } });
    return redirect(form.get("from") === "list" ? "/clips" : `/clips/${clipId}`, { headers: client.responseHeaders() });
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to keep the clip", signedOut: request });
  }
}
