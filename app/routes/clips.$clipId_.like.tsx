import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { logFailure, sessionEnded } from "../api/page-failure.server.ts";
import { clipAddressFromParams } from "../clips/clip-address-of-params.ts";

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/clips/${clipAddressFromParams(params)}`);

/** Likes or takes a like back. A failure is only logged; a script hears of a refusal. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const clipId = clipAddressFromParams(params);
  const form = await formOf(request);
  const clipPath = `/clips/${clipId}`;
  try {
    const result = await client.clips.like({ parameters: { id: clipId } });
    const headers = client.responseHeaders();
    return form.has("inPlace") ? Response.json(result, { headers }) : redirect(clipPath, { headers });
  } catch (error) {
    logFailure("Like:", error);
    if (error.status === 401) return sessionEnded(form.has("inPlace"), clipPath);
    const headers = client.responseHeaders();
    if (!form.has("inPlace")) return redirect(clipPath, { headers });
    return error.isRefusal
      ? Response.json({ error: error.sentence }, { status: error.status, headers })
      : Response.json(null, { headers });
  }
}
