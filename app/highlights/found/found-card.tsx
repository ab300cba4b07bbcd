import { Link } from "@remix-run/react";
import { highlightLabel, highlightTypes } from "../../../contract/highlight-types.ts";
import { MatchDate } from "../../matches/shared/match-date.tsx";
import { HighlightStill } from "../../replay/shared/highlight-still.tsx";
import { Avatar } from "../../shell/pieces/avatar.tsx";
import { Icon } from "../../shell/pieces/icon.tsx";
import type { FoundSummary } from "./found-summary.ts";
import { pickField } from "./highlight-filter.ts";
import { formId, pickOf } from "./picks.ts";

/** A highlight of any match, with its tick. */
export function FoundCard({ highlight, isPicked }: { highlight: FoundSummary; isPicked: boolean }) {
  const label = highlight.display_name || highlightLabel(highlight.highlight_type);
  const id = `pick-${highlight.match_id}-${highlight.id}`;
  const isKnown = highlightTypes.some((known) => known === highlight.highlight_type);
  return (
    <article className="panel relative flex overflow-hidden has-checked:border-flare">
      <span className="relative w-[34%] max-w-56 flex-none">
        <span aria-hidden="true" className="grid size-full place-items-center bg-void text-flare">
          <Icon name={isKnown ? highlight.highlight_type : "other"} className="size-9" />
        </span>
        <HighlightStill picturesUrl={highlight.pictures_url} highlightId={highlight.id} isOver />
      </span>
      <div className="min-w-0 flex-1 py-4 pl-3.5 last:pr-4">
        <h2 className="text-lg leading-tight">
          <label htmlFor={id} className="cover-link cursor-pointer">
            {label} <span className="text-fog">· Round {highlight.round_number}</span>
          </label>
        </h2>
        <p className="mt-0.5 text-sm leading-snug text-fog">{highlight.reason}</p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-haze">
          <PlayerLink highlight={highlight} />
          <Link
            to={`/matches/${highlight.match_id}`}
            className="above-cover relative inline-flex min-h-8 items-center wrap-anywhere hover:text-chalk"
          >
            {highlight.map_display_name}
          </Link>
          <MatchDate match={highlight} />
        </p>
        {highlight.can_create_clips ? null : (
          <p className="mt-1 text-sm text-tee">Its replay data has been deleted, so no new clip can be made of it.</p>
        )}
      </div>
      {highlight.can_create_clips ? (
        <input
          id={id}
          type="checkbox"
          form={formId}
          name={pickField}
          value={pickOf(highlight)}
          defaultChecked={isPicked}
          className="tick above-cover relative m-4 size-6 [--tick:var(--color-flare)]"
        />
      ) : null}
    </article>
  );
}

function PlayerLink({ highlight }: { highlight: FoundSummary }) {
  const { player_steam_id: steamId, player_name: name, player_avatar_url: url } = highlight;
  const face = (
    <>
      <Avatar url={url} of={steamId ?? name} className="size-6 text-xs" />
      <bdi className="max-w-44 truncate font-semibold text-fog">{name}</bdi>
    </>
  );
  if (!steamId) return <span className="inline-flex min-h-8 items-center gap-2">{face}</span>;
  return (
    <Link
      to={`/users/${steamId}/clips`}
      className="above-cover relative inline-flex min-h-8 items-center gap-2 hover:underline"
    >
      {face}
    </Link>
  );
}
