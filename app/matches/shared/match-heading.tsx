import type { ReactNode } from "react";
import type { MatchInfo } from "../../../contract/schemas/match-info.ts";
import { gameModeLabel } from "../../../contract/statuses.ts";
import { MapEmblem } from "./map-emblem.tsx";
import { MatchDate } from "./match-date.tsx";
import { Score } from "./score.tsx";

interface MatchHeadingProps {
  match: MatchInfo;
  /** Heading level and its content when it is more than the map's name (a link). */
  as?: "h1" | "h2" | "p";
  children?: ReactNode;
}

/** Map icon, map name, game mode, date and score of a match in one line. */
export function MatchHeading({ match, as: Heading = "h2", children }: MatchHeadingProps) {
  return (
    <div className="@container flex items-center gap-4">
      <MapEmblem url={match.map_icon_url} className="size-14" />
      <div className="min-w-0">
        <Heading
          className={`wrap-anywhere ${Heading === "h1" ? "title-1" : "font-display text-2xl leading-tight font-bold"}`}
        >
          {children ?? match.map_display_name}
        </Heading>
        {/* Below each other where one line could be too narrow for some date, or it would jump when letters come. */}
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-sm text-fog @max-[38rem]:flex-col">
          <span>{gameModeLabel(match.game_mode)}</span>
          {(match.match_date || match.imported_at) && match.game_mode ? (
            <span aria-hidden="true" className="@max-[38rem]:hidden">
              ·
            </span>
          ) : null}
          <MatchDate match={match} />
        </p>
      </div>
      <Score team1={match.score_team1} team2={match.score_team2} className="ml-auto text-3xl" />
    </div>
  );
}
