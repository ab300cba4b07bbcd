import { type ComponentType, type CSSProperties, useEffect, useState } from "react";
import { latePart, nothing } from "../shell/pieces/late-part.tsx";
import { isPlayable, queryOfMoment } from "./replay-plan.ts";
import type { RoundViewerProps } from "./round-viewer.tsx";

/** For matches whose pictures are still being made. */
const ComingPictures = latePart(() => import("./coming-pictures.tsx"), nothing);

interface RoundPlaceProps {
  viewer: Omit<RoundViewerProps, "picturesUrl">;
  matchId: string;
  /** Null while the match's pictures are being made. */
  picturesUrl: string | null;
}

/** Where a round plays, or what is to be said instead: its viewer is loaded once the match has pictures. */
export function RoundPlace({ viewer, matchId, picturesUrl: atFirst }: RoundPlaceProps) {
  const { round, tickRate, moment } = viewer;
  const [picturesUrl, setPicturesUrl] = useState(atFirst);
  const [Viewer, setViewer] = useState<ComponentType<RoundViewerProps> | null>(null);
  const [isLost, setLost] = useState(false);
  const canPlay = isPlayable(round, tickRate);
  useEffect(() => {
    if (!picturesUrl) return;
    import("./round-viewer.tsx").then(
      ({ RoundViewer }) => setViewer(() => RoundViewer),
      () => setLost(true),
    );
  }, [picturesUrl]);
  return (
    <section aria-label={`Round ${round.number}`} className="mt-3">
      {picturesUrl === null ? (
        <p className="panel p-5 text-fog">
          The map of this match is still being drawn.
          <noscript> Load the page again in a minute.</noscript>
          <ComingPictures matchId={matchId} onCome={setPicturesUrl} />
        </p>
      ) : canPlay && Viewer ? (
        <Viewer {...viewer} picturesUrl={picturesUrl} />
      ) : canPlay && isLost ? (
        <p role="alert" className="panel flex flex-wrap items-center gap-4 p-5 font-semibold">
          The replay could not be loaded. Check your connection and try again.
          {/* A full page load uses the files of a newer server. */}
          <a href={queryOfMoment({ ...moment, round: round.number })} className="btn btn-quiet">
            Try again
          </a>
        </p>
      ) : canPlay ? (
        <>
          {/* As high as the viewer with its controls, so that the content below does not move. */}
          <div
            className="viewer viewer-with-more panel my-2 noscript:hidden"
            style={{ "--ratio": 16 / 9 } as CSSProperties}
          >
            <div className="viewer-picture mx-auto aspect-video w-full" />
            <div className="h-[23.1rem] sm:h-[13.6rem] xl:h-[10.35rem]" />
          </div>
          <noscript>
            <p className="panel p-5 text-fog">Playing a round needs JavaScript. What happened in it is listed below.</p>
          </noscript>
        </>
      ) : (
        <p className="panel p-5 text-fog">
          This round cannot be played: a replay holds only what is around highlights.
        </p>
      )}
    </section>
  );
}
