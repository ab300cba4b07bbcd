import { useLocation, useRevalidator, useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { Dots } from "../shell/pieces/dots.tsx";
import { StepLink } from "../shell/pieces/step-link.tsx";
import type { ClipSummary } from "./clip-summary.ts";
import { ClipCard } from "./shared/clip-card.tsx";
import { LoopSwitch } from "./shared/clip-loop.tsx";

interface CreatedClipsProps {
  clips: ClipSummary[];
  /** A clip that has just been made: it gets the focus as soon as it is there. */
  focusOn: number | null;
}

/** The clips of a match, two a page. A new clip brings back the first page. */
export default function CreatedClips({ clips, focusOn }: CreatedClipsProps) {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const { revalidate } = useRevalidator();
  const [wanted, setWanted] = useState(Math.max(0, Math.trunc(Number(query.get("clips") ?? 1)) - 1) || 0);
  const newest = clips[0]?.id;
  const knownNewest = useRef(newest);
  useEffect(() => {
    if (knownNewest.current !== newest) setWanted(0);
    knownNewest.current = newest;
  }, [newest]);

  const section = useRef<HTMLElement>(null);
  const isThere = clips.some(({ id }) => id === focusOn);
  useEffect(() => {
    if (!isThere) return;
    section.current?.querySelector<HTMLElement>(`a[href="/clips/${focusOn}"]`)?.focus({ preventScroll: true });
  }, [isThere, focusOn]);

  const size = limits.clipsPerCarouselPage;
  const pages = Math.ceil(clips.length / size);
  const page = wanted < pages ? wanted : 0;
  const address = (index: number) => {
    if (index < 0 || index >= pages) return null;
    const beside = new URLSearchParams(query);
    beside.set("clips", String(index + 1));
    return `${pathname}?${beside}#created-clips`;
  };
  return (
    <section ref={section} id="created-clips" aria-labelledby="clips-heading" className="mt-10">
      <div className="flex items-center gap-3">
        <h2 id="clips-heading" className="title-2 mr-auto">
          Created Clips ({clips.length})
        </h2>
        {clips.some((clip) => clip.loop_url) ? <LoopSwitch className="max-sm:[&>span]:sr-only" /> : null}
        {pages > 1 ? (
          <>
            <StepLink
              direction="left"
              label="Previous clips"
              to={address(page - 1)}
              onStep={() => setWanted(page - 1)}
            />
            <StepLink direction="right" label="Next clips" to={address(page + 1)} onStep={() => setWanted(page + 1)} />
          </>
        ) : null}
      </div>
      {page > 0 ? (
        <noscript>
          {/* The form of the highlights loads the page anew. */}
          <input type="hidden" form="highlights" name="clips" value={page + 1} />
        </noscript>
      ) : null}
      <ul className="mt-4 grid gap-5 sm:grid-cols-2">
        {clips.slice(page * size, (page + 1) * size).map((clip, position) => (
          <li key={clip.id} className="grid min-w-0 animate-rise grid-cols-1">
            <ClipCard clip={clip} isFirst={position === 0} onDeleted={revalidate} />
          </li>
        ))}
      </ul>
      <div className="mt-4">
        <Dots count={pages} current={page} />
      </div>
    </section>
  );
}
