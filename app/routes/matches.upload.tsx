import type { ActionFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { sessionEnded } from "../api/page-failure.server.ts";

export const loader = () => redirect("/matches");

/** Passes an uploaded demo on to the API as it comes, without ever holding the file. */
export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const isScript = request.headers.get("Accept")?.includes("application/json") ?? false;
  try {
    if (!request.body) throw new ApiFailure(400, { detail: "Please choose a demo file" }, "upload without a body");
    const headers: Record<string, string> = {};
    for (const name of ["Content-Type", "Content-Length"]) {
      const value = request.headers.get(name);
      if (value) headers[name] = value;
    }
    await client.matches.importDemoFile({ stream: { body: request.body, headers } });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) return sessionEnded(isScript, "/matches#import-file");
    console.warn(error.message);
    const sentence = error.sentence ?? "Failed to upload demo file";
    if (isScript) return Response.json({ error: sentence }, { status: error.status });
    return redirect(`/matches?${new URLSearchParams({ uploadProblem: sentence.slice(0, 300) })}#import-file`);
  }
  if (isScript) return Response.json({ ok: true }, { headers: client.responseHeaders() });
  return redirect("/matches?uploaded=1", { headers: client.responseHeaders() });
}
