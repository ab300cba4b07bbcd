import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { api } from "../api/client.server.ts";
import { logFailure } from "../api/page-failure.server.ts";
import { clipIdFromParams } from "../clip-route.ts";

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/clips/${clipIdFromParams(params)}`);

/** Likes or takes a like back. A failure is only logged. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const clipId = clipIdFromParams(params);
  const form = await request.formData();
  const result = await client.clips.like(clipId).catch((error: unknown) => logFailure("Like:", error));
  const headers = client.responseHeaders();
  if (form.get("inPlace")) return Response.json(result ?? null, { headers });
  return redirect(`/clips/${clipId}`, { headers });
}
