import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { limits } from "../../contract/limits.ts";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { summariseHighlight } from "../highlights/highlight-summary.ts";
import { PreviewPage } from "../replay/preview-page.tsx";
import { pageMeta } from "../shell/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";

export const meta: MetaFunction = () => pageMeta({ title: "Preview", noindex: true });

/** `?preview=ID` of one highlight, `?preview=selection&highlight=ID…` of several: what the form of the match page sends. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const client = api(request, context);
  const matchId = params.matchId ?? "";
  const { searchParams } = new URL(request.url);
  const asked = searchParams.get("preview");
  const ids = (asked === "selection" ? searchParams.getAll("highlight") : [asked]).map(Number);
  try {
    const match = await client.matches.detail({ parameters: { id: matchId } });
    const highlights = match.highlights.filter(({ id }) => ids.includes(id)).slice(0, limits.highlightsPerClip);
    searchParams.delete("preview");
    return data(
      {
        wayBack: `/matches/${encodeURIComponent(matchId)}?${searchParams}`,
        picturesUrl: match.pictures_url,
        highlights: highlights.map(summariseHighlight),
      },
      { headers: client.responseHeaders() },
    );
  } catch (error) {
    throw pageFailure(error, {
      fallback: "Failed to load match details",
      notFound: "Match not found",
      signedOut: request,
      comesBack: true,
    });
  }
}

export default function Preview() {
  return <PreviewPage {...useLoaderData<typeof loader>()} />;
}

export function ErrorBoundary() {
  return <PageProblem wayBack={{ to: "/my-matches", label: "Back to Matches" }} />;
}
