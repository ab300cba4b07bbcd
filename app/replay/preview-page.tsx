import { Link } from "@remix-run/react";
import { highlightLabel } from "../../contract/highlight-types.ts";
import type { HighlightSummary } from "../highlights/highlight-summary.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { PlayerName } from "../shell/pieces/player-name.tsx";
import { HighlightStill } from "./shared/highlight-still.tsx";

interface PreviewPageProps {
  /** The match page with the choices that were sent. */
  wayBack: string;
  picturesUrl: string | null;
  highlights: HighlightSummary[];
}

/** The decisive moments of a clip that is not made yet, as stills: for whoever has no JavaScript, or a browser that cannot draw. */
export function PreviewPage({ wayBack, picturesUrl, highlights }: PreviewPageProps) {
  return (
    <>
      <Link to={wayBack} className="btn btn-quiet mb-6">
        <Icon name="back" />
        Back to the match
      </Link>
      <h1 className="title-1">Preview</h1>
      <p className="mt-2 max-w-prose text-fog">
        {highlights.length === 0
          ? "Nothing is selected. Tick one to five highlights of the match."
          : "The decisive moments, in match order. With JavaScript, in a browser that can draw them, they play on the page of the match."}
      </p>
      <ol className="mt-6 grid gap-6 sm:grid-cols-2">
        {highlights.map((highlight) => (
          <li key={highlight.id} className="panel min-w-0 p-4">
            <HighlightStill picturesUrl={picturesUrl} highlightId={highlight.id} />
            <h2 className="mt-3 text-xl wrap-anywhere">
              {highlight.display_name || highlightLabel(highlight.highlight_type)} · Round {highlight.round_number}
            </h2>
            <p className="mt-1 text-sm wrap-anywhere text-fog">
              <span className="inline-flex max-w-full">
                <PlayerName
                  isTarget
                  steamId={highlight.player_steam_id}
                  name={highlight.player_name}
                  className="link font-semibold text-chalk"
                />
              </span>
              : {highlight.reason}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
