import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { type ShouldRevalidateFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { pageFailure, sessionEnded } from "../api/page-failure.server.ts";
import { ownMatchInstead } from "../matches/shared/own-match-instead.server.ts";
import type { MarkedMoment } from "../replay/mark-moment.tsx";
import { ReplayPage } from "../replay/replay-page.tsx";
import { queryOfMoment } from "../replay/replay-plan.ts";
import { keepsPage } from "../shell/asking/form-answers.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { wayBack } from "../shell/session/way-back.ts";

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) =>
  pageMeta({
    title: loaded ? `${loaded.mapName} Replay` : "Replay",
    description: "Every round of the match from above: pick a round, follow a player, mark a moment.",
    noindex: true,
  });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const client = api(request, context);
  const matchId = params.matchId ?? "";
  try {
    const [match, rounds] = await Promise.all([
      client.matches.detail({ parameters: { id: matchId } }),
      client.matches.rounds({ parameters: { id: matchId } }),
    ]);
    return data(
      {
        matchPath: `/matches/${encodeURIComponent(match.match_id)}`,
        matchId: match.match_id,
        mapName: match.map_display_name,
        picturesUrl: match.pictures_url,
        rounds,
        highlights: match.highlights.map(
          ({ id, highlight_type, display_name, player_name, player_steam_id, round_number, start_tick, kills }) => ({
            id,
            highlight_type,
            display_name,
            player_name,
            player_steam_id,
            round_number,
            start_tick,
            tick: kills[0]?.tick ?? start_tick,
          }),
        ),
      },
      { headers: client.responseHeaders() },
    );
  } catch (error) {
    const own = await ownMatchInstead(client, matchId, error);
    if (own) {
      const { search } = new URL(request.url);
      throw redirect(`/matches/${encodeURIComponent(own)}/replay${search}`, { headers: client.responseHeaders() });
    }
    throw pageFailure(error, {
      fallback: "Failed to load the replay",
      notFound: "Match not found",
      signedOut: request,
      comesBack: true,
    });
  }
}

/** Marks a moment by hand, or takes one away. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const id = params.matchId ?? "";
  const page = `/matches/${encodeURIComponent(id)}/replay`;
  const asked = `${page}${new URL(request.url).search}`;
  const form = await formOf(request);
  const isRemoval = form.get("intent") === "remove";
  const fields = fieldsOf(form);
  const seconds = (value: string) => (value === "" ? Number.NaN : Number(value));
  const [round, player, from, to] = [fields.round, fields.player, fields.from, fields.to].map(seconds) as Numbers;
  const moment = queryOfMoment({ round, seconds: from, player });
  try {
    if (isRemoval) {
      await client.matches.removeMoment({ parameters: { id, highlight_id: String(form.get("highlight") ?? "") } });
      return redirect(asked, { headers: client.responseHeaders() });
    }
    if (Number.isNaN(player)) {
      throw new ApiFailure(400, { detail: "Choose the player that the moment follows." }, "no player");
    }
    if ([round, from, to].some(Number.isNaN)) {
      throw new ApiFailure(400, { detail: "Say from which second of the round to which." }, "no numbers");
    }
    const body = { round, player, from, to, name: fields.name };
    const { id: marked } = await client.matches.markMoment({ parameters: { id }, body });
    return redirect(`${page}${moment}&marked=${marked}#mark-moment`, { headers: client.responseHeaders() });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(false, isRemoval ? asked : wayBack(page + moment, form));
    const problem = error.sentence ?? "The moment could not be marked. Try again later.";
    const status = error.status < 500 ? error.status : 502;
    return data({ problem, fields }, { status, headers: client.responseHeaders() });
  }
}

type Numbers = [number, number, number, number];

function fieldsOf(form: FormData): MarkedMoment {
  const text = (name: keyof MarkedMoment) => String(form.get(name) ?? "");
  return { round: text("round"), player: text("player"), from: text("from"), to: text("to"), name: text("name") };
}

export const clientAction = keepsPage((problem, form) => ({ problem, fields: fieldsOf(form) }));

/** The address changes while it plays; nothing of the match does, but by the form. Another match is another page. */
export const shouldRevalidate = ({
  currentParams,
  nextParams,
  formMethod,
  actionStatus = 200,
}: ShouldRevalidateFunctionArgs) =>
  currentParams.matchId !== nextParams.matchId ||
  (formMethod !== undefined && formMethod !== "GET" && actionStatus < 400);

export default function Replay() {
  const failure = useActionData<typeof action>();
  const loaded = useLoaderData<typeof loader>();
  return <ReplayPage key={loaded.matchId} {...loaded} failure={failure ?? null} />;
}

export function ErrorBoundary() {
  return <PageProblem wayBack={{ to: "/my-matches", label: "Back to Matches" }} />;
}
