import { Link } from "@remix-run/react";
import type { Clip } from "../../../contract/api.ts";
import { lengthText } from "../../shell/clock-text.ts";
import { ClipName } from "../shared/clip-name.tsx";

/** What a small card shows of a clip. */
export type SmallClip = Pick<Clip, "id" | "display_name" | "thumbnail_url" | "duration_seconds" | "views_count"> & {
  maker: string;
};

export function smallClip(clip: Clip): SmallClip {
  const { id, display_name, thumbnail_url, duration_seconds, views_count } = clip;
  return { id, display_name, thumbnail_url, duration_seconds, views_count, maker: clip.user.username };
}

/** A list of clips below a clip; nothing where it is empty. */
export function RelatedClips({ title, id, clips }: { title: string; id: string; clips: readonly SmallClip[] }) {
  if (clips.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="title-2">
        {title}
      </h2>
      <ul className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-6">
        {clips.map((clip) => (
          <li key={clip.id} className="panel panel-link relative flex min-w-0 overflow-hidden sm:flex-col">
            <Thumbnail clip={clip} className="w-2/5 flex-none sm:w-full" />
            <div className="min-w-0 flex-1 p-3">
              <h3 className="line-clamp-2 font-sans text-base leading-snug font-semibold break-words">
                <Link to={`/clips/${clip.id}`} className="cover-link">
                  <ClipName name={clip.display_name} />
                </Link>
              </h3>
              <p className="mt-1 truncate text-sm text-fog">
                <bdi>{clip.maker}</bdi> · {clip.views_count} {clip.views_count === 1 ? "view" : "views"}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Thumbnail({ clip, className }: { clip: SmallClip; className: string }) {
  return (
    <div className={`relative aspect-video bg-ink ${className}`}>
      {clip.thumbnail_url ? (
        <img
          src={clip.thumbnail_url}
          alt=""
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      ) : null}
      {clip.duration_seconds ? (
        <span className="absolute right-1.5 bottom-1.5 rounded bg-void/85 px-1.5 text-xs font-semibold tabular-nums">
          <span className="sr-only">Length </span>
          {lengthText(clip.duration_seconds)}
        </span>
      ) : null}
    </div>
  );
}
