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
  /** What stands at the end of the line. */
  action?: ReactNode;
}

/** Map icon, map name, game mode, date and score of a match in one line; on phones the date has a line of its own. */
export function MatchHeading({ match, as: Heading = "h2", children, action }: MatchHeadingProps) {
  return (
    <div className="@container">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-4 @max-[26rem]:gap-x-3">
        <MapEmblem url={match.map_icon_url} className="size-14 @max-[26rem]:row-span-2 @max-[26rem]:size-11" />
        <div className="col-start-2 min-w-0 @max-[26rem]:contents">
          <Heading
            className={`col-start-2 wrap-anywhere ${
              Heading === "h1" ? "title-1" : "font-display text-2xl leading-tight font-bold"
            }`}
          >
            {children ?? match.map_display_name}
          </Heading>
          {/* Below each other where one line could be too narrow for some date, or it would jump when letters come. */}
          <p className="mt-0.5 flex flex-wrap gap-x-2 text-sm text-fog @max-[38rem]:flex-col @max-[26rem]:contents">
            <span className="col-start-2">{gameModeLabel(match.game_mode)}</span>
            {(match.match_date || match.imported_at) && match.game_mode ? (
              <span aria-hidden="true" className="@max-[38rem]:hidden">
                ·
              </span>
            ) : null}
            <span className="col-span-full text-balance @max-[26rem]:mt-1 @max-[26rem]:row-start-3">
              <MatchDate match={match} />
            </span>
          </p>
        </div>
        <Score
          team1={match.score_team1}
          team2={match.score_team2}
          className="col-start-3 text-3xl @max-[26rem]:row-span-2 @max-[26rem]:row-start-1"
        />
        <div className="col-start-4 empty:hidden @max-[26rem]:row-span-2 @max-[26rem]:row-start-1">{action}</div>
      </div>
    </div>
  );
}
