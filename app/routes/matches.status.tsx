import type { LoaderFunctionArgs } from "@remix-run/node";
import { limits } from "../../contract/limits.ts";
import type { ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";

export interface MatchStates {
  /** By match id; a recent match by its demo's address. */
  states: Record<
    string,
    Pick<
      ProcessingState,
      | "is_processing"
      | "is_completed"
      | "status"
      | "status_display"
      | "queue_position"
      | "progress"
      | "highlights_found"
      | "error"
      | "detail"
      | "can_retry"
    >
  >;
  /** Before the names of the pictures of the match that was asked for so; null until they are made. */
  picturesUrl: string | null;
}

/**
 * What lists and pages of matches poll: `?id=` for imported matches, `?demo=` for recent ones, `?pictures=` for a match whose pictures
 * are still being made. 401 when the session has ended.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const client = api(request, context);
  const states: MatchStates["states"] = {};
  let picturesUrl: string | null = null;
  let isSignedOut = false;
  const ask = async (question: Promise<void>, onFailure: (failure: ApiFailure) => void) => {
    try {
      await question;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (error.status === 503) throw new Response(null, { status: 503 });
      if (error.status === 401) isSignedOut = true;
      else console.warn(error.message);
      onFailure(error);
    }
  };
  const askState = (key: string, question: Promise<ProcessingState>, onFailure: (failure: ApiFailure) => void) =>
    ask(
      question.then((state) => {
        states[key] = state;
      }),
      onFailure,
    );
  const askPictures = async (id: string) => {
    picturesUrl = (await client.matches.detail({ parameters: { id } })).pictures_url;
  };
  await Promise.all([
    ...query
      .getAll("pictures")
      .slice(0, 1)
      .map((id) => ask(askPictures(id), () => {})),
    ...few(query.getAll("id")).map((id) => askState(id, client.matches.status({ parameters: { id } }), () => {})),
    ...few(query.getAll("demo")).map((demoUrl) =>
      // A check that fails counts as "not processing" (specification, section 8).
      askState(demoUrl, client.matches.checkDemoProcessing({ body: { demo_url: demoUrl } }), ({ status }) => {
        const error = status === 401 ? "Authentication required" : `HTTP ${status}`;
        states[demoUrl] = {
          is_processing: false,
          is_completed: false,
          status: "not_found",
          status_display: "",
          queue_position: null,
          progress: 0,
          highlights_found: 0,
          error,
          detail: null,
          can_retry: false,
        };
      }),
    ),
  ]);
  const status = isSignedOut ? 401 : 200;
  return Response.json({ states, picturesUrl } satisfies MatchStates, {
    status,
    headers: { "Cache-Control": "no-store" },
  });
}

const few = (keys: string[]) => keys.slice(0, limits.matchesPerPage);
