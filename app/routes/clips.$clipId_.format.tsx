import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { useParams } from "@remix-run/react";
import { isClipFormat } from "../../contract/clip-formats.ts";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { pageFailure, sessionEnded } from "../api/page-failure.server.ts";
import { clipIdFromParams } from "../clips/clip-id-of-address.ts";
import { summariseWithVideos } from "../clips/clip-summary.ts";
import { PageProblem } from "../shell/page-problem.tsx";

const failureText = "Failed to add the format";

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/clips/${clipIdFromParams(params)}`);

/** Adds a format to a clip. A script gets the clip as it is then, or why it is refused. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const clipId = clipIdFromParams(params);
  const clipPath = `/clips/${clipId}`;
  const form = await request.formData();
  const format = form.get("format");
  if (!isClipFormat(format)) return redirect(clipPath);
  try {
    const clip = await client.clips.addFormat({ parameters: { id: clipId }, body: { format } });
    const headers = client.responseHeaders();
    return form.has("inPlace")
      ? Response.json({ clip: summariseWithVideos(clip) }, { headers })
      : redirect(clipPath, { headers });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(form.has("inPlace"), clipPath);
    console.warn(error.message);
    if (!form.has("inPlace")) throw pageFailure(error, { fallback: failureText });
    const headers = client.responseHeaders();
    return Response.json({ error: error.sentence ?? failureText }, { status: error.status, headers });
  }
}

export function ErrorBoundary() {
  const { clipId } = useParams();
  return <PageProblem wayBack={{ to: `/clips/${clipId}`, label: "Back to the clip" }} />;
}
