import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import type { ClipPart } from "../../contract/schemas/clips.ts";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { pageFailure, sessionEnded } from "../api/page-failure.server.ts";
import { clipAddressFromParams } from "../clips/clip-address-of-params.ts";
import { addressWith } from "../clips/compilation/chosen-clips.ts";
import { EditClip } from "../clips/edit/edit-clip.tsx";
import { newVersionOf } from "../clips/edit/new-version.ts";
import { keepsPage } from "../shell/asking/form-answers.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { wayBack } from "../shell/session/way-back.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Edit Clip", noindex: true });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const client = api(request, context);
  try {
    const clip = await client.clips.detail({ parameters: { id: clipAddressFromParams(params) } });
    if (!clip.is_owner) throw redirect(`/clips/${clip.public_id}`);
    const { pre_time_adjustment: leadIn, post_time_adjustment: leadOut } = clip.render_settings;
    return {
      id: clip.public_id,
      visibility: clip.visibility,
      name: clip.display_name,
      leadIn,
      leadOut,
      canRender: clip.can_add_formats,
      isReady: clip.render_status === "completed",
      joinAnew: clip.match_id === null ? addressWith(partsLeft(clip.parts), 0) : null,
      rounds: roundsOf(clip.highlights),
    };
  } catch (error) {
    throw pageFailure(error, {
      fallback: "Failed to load clip",
      notFound: "Clip not found",
      signedOut: request,
      comesBack: true,
    });
  }
}

const compilationKeepsClips = "A compilation stays as it was joined. Join its clips again in another order.";

/** Those clips of a compilation that are still there. */
function partsLeft(parts: readonly ClipPart[]): number[] {
  return parts.flatMap(({ clip_id: id }) => (id === null ? [] : [id]));
}

/** The rounds of a clip in the order of its highlights, each with what is shown of it. */
function roundsOf(highlights: readonly { round_number: number; reason: string; player_name: string }[]) {
  return [...new Set(highlights.map(({ round_number: round }) => round))].map((round) => ({
    round,
    shows: highlights
      .filter((highlight) => highlight.round_number === round)
      .map(({ player_name: player, reason }) => ({ player, reason })),
  }));
}

/** Renames the clip, lists it or not, or makes a new one of the same highlights with other times or another order. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const id = clipAddressFromParams(params);
  const form = await formOf(request);
  try {
    if (form.get("intent") === "rename") {
      await client.clips.rename({ parameters: { id }, body: { name: String(form.get("name") ?? "") } });
      return redirect(`/clips/${id}`, { headers: client.responseHeaders() });
    }
    if (form.get("intent") === "visibility") {
      const visibility = form.has("unlisted") ? "unlisted" : "public";
      const { public_id } = await client.clips.setVisibility({ parameters: { id }, body: { visibility } });
      return redirect(`/clips/${public_id}`, { headers: client.responseHeaders() });
    }
    // What no form came with must not become a new version.
    if (!form.has("intent")) throw new ApiFailure(400, { detail: "Unknown form" }, "no intent");
    const clip = await client.clips.detail({ parameters: { id } });
    if (clip.match_id === null) throw new ApiFailure(400, { detail: compilationKeepsClips }, "a compilation");
    const made = await client.matches.createClip({ parameters: { id: clip.match_id }, body: newVersionOf(clip, form) });
    return redirect(`/clips/${made.public_id}`, { headers: client.responseHeaders() });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(false, wayBack(new URL(request.url).pathname, form));
    const problem = error.sentence ?? "The clip could not be changed. Try again later.";
    const status = error.status < 500 ? error.status : 502;
    const failure = { problem, of: String(form.get("intent")), typed: typedInto(form) };
    return data(failure, { status, headers: client.responseHeaders() });
  }
}

/** What a form holds, as the page reads it from an address. A box that is not ticked is no field of its form. */
function typedInto(form: FormData): string {
  const typed = new URLSearchParams([...form].map(([name, value]) => [name, String(value)]));
  if (form.get("intent") === "visibility" && !form.has("unlisted")) typed.set("unlisted", "");
  return typed.toString();
}

export const clientAction = keepsPage((problem, form) => ({
  problem,
  of: String(form.get("intent")),
  typed: typedInto(form),
}));

export default function EditClipRoute() {
  const clip = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const [query] = useSearchParams();
  const typed = new URLSearchParams([...new URLSearchParams(result?.typed), ...query]);
  return <EditClip key={clip.id} {...clip} typed={typed} failure={result ?? null} />;
}

export { shouldRevalidate } from "../shell/asking/form-answers.ts";
export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
