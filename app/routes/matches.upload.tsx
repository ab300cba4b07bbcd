import type { ActionFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { type Api, api } from "../api/client.server.ts";
import { sessionEnded } from "../api/page-failure.server.ts";
import { demoFileProblem } from "../matches/demo-file-problem.ts";
import { type DemoFileOfForm, eachDemoFile } from "../matches/demo-files-of-form.server.ts";
import { outcomeAddress, type UploadOutcome } from "../matches/upload-outcome.ts";

export const loader = () => redirect("/matches");

const nothingChosen = "Please choose a demo file";
const failed = "Failed to upload demo file";

/** Passes uploaded demos on to the API as they come, without ever holding a file. A script sends them one by one. */
export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const isScript = request.headers.get("Accept")?.includes("application/json") ?? false;
  const contentType = request.headers.get("Content-Type") ?? "";
  try {
    if (!request.body) throw new ApiFailure(400, { detail: nothingChosen }, "upload without a body");
    // Of a stranger nothing is read, whatever the form is full of.
    if (!isScript && !(await client.authStatus()).authenticated) return sessionEnded(isScript, "/matches#import-file");
    if (!isScript && /^multipart\/form-data\b/i.test(contentType)) {
      const outcome = await importEach(client, request.body, contentType);
      return redirect(outcomeAddress(outcome), { headers: client.responseHeaders() });
    }
    const headers: Record<string, string> = {};
    for (const name of ["Content-Type", "Content-Length"]) {
      const value = request.headers.get(name);
      if (value) headers[name] = value;
    }
    await client.matches.importDemoFile({ stream: { body: request.body, headers } });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) return sessionEnded(isScript, "/matches#import-file");
    const { error: code, demo_file: noFile } = (error.body ?? {}) as { error?: unknown; demo_file?: unknown };
    const isFull = code === "imports_under_way" || code === "upload_limit" || code === "rate_limited";
    // A script that waits for a place asks every few seconds, with a form that has no file.
    if (!isScript || !(isFull || noFile)) console.warn(error.message);
    const sentence = error.sentence ?? failed;
    if (isScript) return Response.json({ error: sentence, isFull }, { status: error.status });
    return redirect(outcomeAddress({ taken: 0, refused: [{ name: "", sentence }] }));
  }
  if (isScript) return Response.json({ ok: true }, { headers: client.responseHeaders() });
  return redirect(outcomeAddress({ taken: 1, refused: [] }), { headers: client.responseHeaders() });
}

/** Imports every file of a form, and says of each that was refused why. @throws ApiFailure 401 */
async function importEach(client: Api, body: ReadableStream<Uint8Array>, contentType: string): Promise<UploadOutcome> {
  let taken = 0;
  const refused: { name: string; sentence: string }[] = [];
  const take = async ({ name, stream }: DemoFileOfForm) => {
    const problem = demoFileProblem({ name, size: 1 });
    if (problem) return void refused.push({ name, sentence: problem });
    try {
      await client.matches.importDemoFile({ stream });
      taken++;
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status === 401) throw error;
      console.warn(error.message);
      refused.push({ name, sentence: error.sentence ?? failed });
    }
  };
  try {
    await eachDemoFile(body, contentType, take);
  } catch (error) {
    if (error instanceof ApiFailure || error instanceof Response) throw error;
    console.warn(`upload: ${error instanceof Error ? error.message : String(error)}`);
    refused.push({ name: "The rest", sentence: "The upload was cut off. Please try again." });
  }
  if (taken + refused.length === 0) refused.push({ name: "", sentence: nothingChosen });
  return { taken, refused };
}
