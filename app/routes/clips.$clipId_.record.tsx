import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { clipAddressFromParams } from "../clips/clip-address-of-params.ts";
import { RecordInGame } from "../clips/in-game/record-in-game.tsx";
import { pageMeta } from "../shell/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";

export const meta: MetaFunction = () => pageMeta({ title: "Record it in the game", noindex: true });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const client = api(request, context);
  const id = clipAddressFromParams(params);
  try {
    const recording = await client.clips.inGame({ parameters: { id } });
    return data({ id, ...recording }, { headers: client.responseHeaders() });
  } catch (error) {
    throw pageFailure(error, {
      fallback: "Failed to load clip",
      notFound: "Clip not found",
      signedOut: request,
      comesBack: true,
    });
  }
}

export default function RecordInGameRoute() {
  return <RecordInGame {...useLoaderData<typeof loader>()} />;
}

export function ErrorBoundary() {
  return <PageProblem notFoundTitle="Clip Not Found" />;
}
