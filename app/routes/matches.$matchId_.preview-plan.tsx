import type { ActionFunctionArgs } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { clipOfForm } from "../clips/create-clip-form.server.ts";

/** What a match page's form would make a clip of, for a preview: JSON, with the API's sentence where it cannot. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  try {
    const { asked } = await clipOfForm(client, params.matchId ?? "", await formOf(request));
    const { spec, duration_seconds: seconds } = await client.matches.previewClip(asked);
    return Response.json({ spec, seconds }, { headers: client.responseHeaders() });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return Response.json(
      { detail: error.sentence ?? "The preview could not be loaded. Try again." },
      { status: error.status, headers: error.retryAfter === null ? {} : { "Retry-After": error.retryAfter } },
    );
  }
}
