import type { MatchInfo } from "../../../contract/schemas/match-info.ts";
import { LocalTime } from "../../shell/pieces/local-time.tsx";

/** When a match was played; of one of which nobody knows, when it was imported, and that it is that. The same on every page. */
export function MatchDate({ match }: { match: Pick<MatchInfo, "match_date" | "imported_at"> }) {
  if (match.match_date) return <LocalTime iso={match.match_date} />;
  if (!match.imported_at) return null;
  return (
    <span>
      Imported <LocalTime iso={match.imported_at} />
    </span>
  );
}
