import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isRenderActive } from "../../contract/statuses.ts";
import { ApiFailure } from "../api/api-failure.ts";
import { type Api, api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { formFailureStatus, pageFailure, sessionEnded } from "../api/page-failure.server.ts";
import { summariseClip } from "../clips/clip-summary.ts";
import { createClipFromForm } from "../clips/create-clip-form.server.ts";
import { type CreateClipResult, createClipFailure } from "../clips/create-clip-result.ts";
import { summariseHighlight } from "../highlights/highlight-summary.ts";
import { MatchPage } from "../matches/match-page.tsx";
import { summariseMatch } from "../matches/match-summary.ts";
import { isSettled } from "../matches/shared/is-settled.ts";
import { ownMatchInstead } from "../matches/shared/own-match-instead.server.ts";
import { keepsPage } from "../shell/asking/form-answers.ts";
import type { PageHandle } from "../shell/page-handle.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { addressWith, wayBack } from "../shell/session/way-back.ts";

const refreshSeconds = 10;

export const handle: PageHandle = { wide: true, scriptsAfterPicture: true };

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) =>
  pageMeta({ title: loaded ? `${loaded.match.map_display_name} Match` : "Match Details", noindex: true });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const client = api(request, context);
  const matchId = params.matchId ?? "";
  try {
    const [detail, clips, site] = await Promise.all([
      client.matches.detail({ parameters: { id: matchId }, query: { include_players: true } }),
      client.matches.clips({ parameters: { id: matchId } }),
      client.siteDetails(),
    ]);
    const isRunning = !isSettled(detail.processing) || clips.some((clip) => isRenderActive(clip.render_status));
    return data(
      {
        match: summariseMatch(detail),
        highlights: detail.highlights.map(summariseHighlight),
        playersByTeam: detail.players_by_team,
        canCreateClips: detail.can_create_clips,
        picturesUrl: detail.pictures_url,
        defaultFormat: site.default_clip_format,
        clips: clips.map(summariseClip),
        isRunning,
        refreshSeconds: isRunning ? refreshSeconds : null,
      },
      { headers: client.responseHeaders() },
    );
  } catch (error) {
    const own = await ownMatchInstead(client, matchId, error);
    if (own) throw redirect(`/matches/${encodeURIComponent(own)}`, { headers: client.responseHeaders() });
    throw pageFailure(error, {
      fallback: "Failed to load match details",
      notFound: "Match not found",
      signedOut: request,
      comesBack: true,
    });
  }
}

export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  const matchId = params.matchId ?? "";
  if (form.get("intent") === "retry") return tryAgain(client, request, form, matchId);
  let made: Awaited<ReturnType<typeof createClipFromForm>>;
  try {
    made = await createClipFromForm(client, matchId, form);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(form.has("inPlace"), wayBack(new URL(request.url).pathname, form));
    const text =
      error.status === 429
        ? (error.sentence ?? "Queue limit reached. You can only have 3 clips in queue or processing at once.")
        : `Failed to create clip: ${error.sentence ?? error.message}`;
    return data(createClipFailure(request.url, form, text), {
      status: formFailureStatus(form, error),
      headers: client.responseHeaders(),
    });
  }
  const headers = client.responseHeaders();
  if (form.get("inPlace")) return data<CreateClipResult>({ ok: true, ...made }, { headers });
  if (!made.isNew) {
    const chosen = addressWith(new URL(request.url).pathname, form);
    return data<CreateClipResult>({ ok: true, ...made, chosen }, { headers });
  }
  throw redirect(`/matches/${encodeURIComponent(matchId)}`, { headers });
}

/** Another try of an import that has failed. The page itself shows how far that is, or why it cannot be. */
async function tryAgain(client: Api, request: Request, form: FormData, matchId: string) {
  try {
    const retried = await client.matches.retry({ parameters: { id: matchId } });
    return redirect(`/matches/${encodeURIComponent(retried.match_id)}`, { headers: client.responseHeaders() });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(form.has("inPlace"), new URL(request.url).pathname);
    const refusal = createClipFailure(request.url, form, error.sentence ?? "The import could not be tried again.");
    return data(refusal, { status: formFailureStatus(form, error), headers: client.responseHeaders() });
  }
}

export const clientAction = keepsPage<CreateClipResult>((reason, form, address) =>
  createClipFailure(address, form, reason && !form.has("intent") ? `Failed to create clip: ${reason}` : reason),
);

export default function MatchDetails() {
  const loaded = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return <MatchPage key={loaded.match.match_id} {...loaded} formResult={result ?? null} />;
}

export function ErrorBoundary() {
  const result = useActionData<typeof action>();
  const again = result?.ok === false ? result.chosen : undefined;
  return <PageProblem wayBack={{ to: "/my-matches", label: "Back to Matches" }} again={again} />;
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
