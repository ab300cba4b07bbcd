import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { clipAddressFromParams } from "../clips/clip-address-of-params.ts";
import { fromSecond, startTime } from "../clips/watch/start-time.ts";
import type { PageHandle } from "../shell/page-handle.ts";
import { pageMeta } from "../shell/page-meta.ts";

export const handle: PageHandle = { hydrate: false, bare: true };

export const meta: MetaFunction<typeof loader> = ({ data: clip }) =>
  pageMeta({ title: clip?.name ?? "Clip Not Found", noindex: true });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  try {
    const clip = await api(request, context).clips.detail({ parameters: { id: clipAddressFromParams(params) } });
    const query = new URL(request.url).searchParams;
    const start = startTime(query.get("t"), clip.duration_seconds);
    // One that is unknown or not rendered yet: the clip's own.
    const asked = clip.formats.find(({ format, video_url }) => video_url && format === query.get("format"));
    const { video_url: url, poster_url: poster } = asked ?? clip;
    const address = `/clips/${clip.public_id}${asked ? `?format=${asked.format}` : ""}`;
    return { address, name: clip.display_name, video: url && fromSecond(url, start), poster };
  } catch (error) {
    throw pageFailure(error, {
      fallback: "Failed to load clip",
      notFound: "The requested CS2 clip could not be found",
    });
  }
}

/** The player alone, for frames on other sites. */
export default function EmbeddedClip() {
  const { address, name, video, poster } = useLoaderData<typeof loader>();
  return (
    <main className="fixed inset-0 bg-black">
      <h1 className="sr-only">{name}</h1>
      {video ? (
        // biome-ignore lint/a11y/useMediaCaption: the sound is synthesised effects without speech; names are drawn in the picture.
        <video controls playsInline preload="none" poster={poster ?? undefined} aria-label={name} className="size-full">
          <source src={video} type="video/mp4" />
        </video>
      ) : null}
      <a href={address} target="_blank" rel="noreferrer" className="btn btn-quiet absolute top-3 left-3 bg-void/80">
        {name}
      </a>
    </main>
  );
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
