import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { localPath } from "../../contract/local-path.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { logFailure, sessionEnded } from "../api/page-failure.server.ts";
import { clipAddressFromParams } from "../clips/clip-address-of-params.ts";

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/clips/${clipAddressFromParams(params)}`);

/**
 * Takes the mark from a clip that was made for its player, and goes back to where that was pressed. Without a script a failure is only
 * logged, and the mark is still there.
 */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const clipId = clipAddressFromParams(params);
  const form = await formOf(request);
  const isScript = form.has("inPlace");
  const from = localPath(String(form.get("from") ?? `/clips/${clipId}`));
  try {
    await client.automation.keepClip({ parameters: { id: clipId } });
  } catch (error) {
    logFailure("Keep:", error);
    if (error.status === 401) return sessionEnded(isScript, from);
    if (isScript) {
      return Response.json({ error: error.sentence }, { status: error.status, headers: client.responseHeaders() });
    }
  }
  const headers = client.responseHeaders();
  return isScript ? Response.json(null, { headers }) : redirect(from, { headers });
}
