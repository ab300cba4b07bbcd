import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { sessionEnded } from "../api/page-failure.server.ts";
import { addFormatFailure, addFormatOf } from "../clips/add-format.server.ts";
import { clipAddressFromParams } from "../clips/clip-address-of-params.ts";
import { summariseWithVideos } from "../clips/clip-summary.ts";

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/clips/${clipAddressFromParams(params)}`);

/** Adds a format to a clip for a script: the clip as it is then, or why it is refused. The clip's page does so without one. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const clipId = clipAddressFromParams(params);
  try {
    const clip = await addFormatOf(client, clipId, await formOf(request));
    return Response.json({ clip: clip && summariseWithVideos(clip) }, { headers: client.responseHeaders() });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) return sessionEnded(true, `/clips/${clipId}`);
    console.warn(error.message);
    const headers = client.responseHeaders();
    return Response.json({ error: error.sentence ?? addFormatFailure }, { status: error.status, headers });
  }
}
