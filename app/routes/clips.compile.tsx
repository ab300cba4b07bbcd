import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isClipFormat } from "../../contract/clip-formats.ts";
import { limits } from "../../contract/limits.ts";
import type { Clip, ClipState } from "../../contract/schemas/clips.ts";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { formFailureStatus, logFailure, pageFailure, sessionEnded } from "../api/page-failure.server.ts";
import {
  addressWith,
  type ChoosableClip,
  chosenField,
  chosenIds,
  planCompilation,
} from "../clips/compilation/chosen-clips.ts";
import { CompilePage } from "../clips/compilation/compile-page.tsx";
import { offsetFromQuery } from "../clips/offset-from-query.ts";
import { keepsPage } from "../shell/asking/form-answers.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { productName } from "../shell/product-name.ts";

const failed = "Failed to create the compilation";

export const meta: MetaFunction = () => pageMeta({ title: `New compilation - ${productName}`, noindex: true });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const offset = offsetFromQuery(query);
  const client = api(request, context);
  try {
    const [overview, ...asked] = await Promise.all([
      client.clips.own({ query: { limit: limits.clipGroupsPerRequest, offset } }),
      ...chosenIds(query).map((id) =>
        // What was deleted since is chosen no more.
        client.clips.status({ parameters: { id } }).catch((error: unknown) => logFailure("Chosen clip:", error)),
      ),
    ]);
    const chosen = asked.filter((clip): clip is ClipState => clip != null && isChoosable(clip)).map(choosable);
    const groups = overview.results.flatMap(({ match_id: matchId, map_display_name: map, clips }) => {
      const ready = clips.filter(isChoosable).map(choosable);
      return matchId !== null && ready.length > 0 ? [{ matchId, map, clips: ready }] : [];
    });
    const nextOffset = overview.next === null ? null : offset + limits.clipGroupsPerRequest;
    return data(
      { chosen, plan: planCompilation(chosen), groups, offset, nextOffset },
      { headers: client.responseHeaders() },
    );
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load clips", signedOut: request, comesBack: true });
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const client = api(request, context);
  const form = await formOf(request);
  const clip_ids = form.getAll(chosenField).map(Number).filter(Number.isSafeInteger);
  const name = String(form.get("name") ?? "").slice(0, limits.clipNameCharacters);
  const format = form.get("format");
  try {
    const clip = await client.clips.createCompilation({
      body: { name, clip_ids, ...(isClipFormat(format) ? { format } : {}) },
    });
    return redirect(`/clips/${clip.id}`, { headers: client.responseHeaders() });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(false, addressWith(clip_ids, 0));
    return data(
      { error: error.sentence || failed, name, format: isClipFormat(format) ? format : null },
      { status: formFailureStatus(form, error) },
    );
  }
}

function isChoosable(clip: Clip): boolean {
  return clip.is_owner && clip.match_id !== null && clip.render_status === "completed";
}

function choosable(clip: Clip | ClipState): ChoosableClip {
  const ready = "formats" in clip ? clip.formats.filter(({ video_url }) => video_url !== null) : [clip];
  return {
    id: clip.id,
    name: clip.display_name || clip.name,
    map: clip.map_display_name,
    seconds: clip.duration_seconds,
    thumbnailUrl: clip.thumbnail_url,
    formats: ready.map(({ format }) => format),
  };
}

export const clientAction = keepsPage((error, form) => ({ error, name: String(form.get("name") ?? ""), format: null }));

export default function Compile() {
  const loaded = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <CompilePage
      {...loaded}
      error={refused?.error ?? null}
      name={refused?.name ?? ""}
      format={refused?.format ?? null}
    />
  );
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
