import { Link } from "@remix-run/react";
import type { Clip } from "../../../contract/schemas/clips.ts";
import { PlayerName } from "../../shell/pieces/player-name.tsx";
import { ClipLength } from "../shared/clip-length.tsx";
import { ClipName } from "../shared/clip-name.tsx";

/** What a small card shows of a clip. */
export type SmallClip = Pick<Clip, "id" | "display_name" | "thumbnail_url" | "duration_seconds" | "views_count"> & {
  maker: Pick<Clip["user"], "steam_id" | "username">;
};

export function smallClip(clip: Clip): SmallClip {
  const { id, display_name, thumbnail_url, duration_seconds, views_count } = clip;
  const { steam_id, username } = clip.user;
  return { id, display_name, thumbnail_url, duration_seconds, views_count, maker: { steam_id, username } };
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
              <p className="flex items-center gap-1.5 text-sm text-fog max-sm:-mb-3 sm:mt-1">
                <span className="above-cover flex min-w-0">
                  <PlayerName isTarget steamId={clip.maker.steam_id} name={clip.maker.username} className="link" />
                </span>{" "}
                <span className="flex-none">
                  · {clip.views_count} {clip.views_count === 1 ? "view" : "views"}
                </span>
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
      <ClipLength seconds={clip.duration_seconds} className="right-1.5 bottom-1.5" />
    </div>
  );
}
