import { Fragment, memo } from "react";
import { highlightLabel } from "../../contract/highlight-types.ts";
import { type PreviewAddresses, PreviewButton } from "../replay/preview-controls.tsx";
import { HighlightStill } from "../replay/shared/highlight-still.tsx";
import { Avatar } from "../shell/pieces/avatar.tsx";
import { PlayerName } from "../shell/pieces/player-name.tsx";
import { HighlightPicture } from "./highlight-picture.tsx";
import type { HighlightSummary } from "./highlight-summary.ts";

interface HighlightCardProps extends PreviewAddresses {
  highlight: HighlightSummary;
  isActive: boolean;
  /** Switched by hand against the filters. */
  isOverridden: boolean;
  isTopPick: boolean;
  /** The same function at every rendering: of forty cards only the one that changes is drawn anew. */
  onToggle: (highlight: HighlightSummary) => void;
}

/** A highlight with its checkbox: the whole card is the label. Its picture stands on top, on phones at the left. */
export const HighlightCard = memo(function HighlightCard({
  highlight,
  isActive,
  isOverridden,
  isTopPick,
  onToggle,
  matchPath,
  picturesUrl,
}: HighlightCardProps) {
  const label = highlight.display_name || highlightLabel(highlight.highlight_type);
  const id = `highlight-${highlight.id}`;
  return (
    <div className="relative grid">
      <label data-active={isActive} data-override={isOverridden || undefined} className="highlight-card">
        <span className="highlight-picture relative w-[34%] flex-none sm:aspect-video sm:w-full">
          <span className="absolute inset-0 opacity-(--shown) transition-opacity">
            <HighlightPicture highlight={highlight} />
            <HighlightStill picturesUrl={picturesUrl} highlightId={highlight.id} isOver />
          </span>
        </span>
        <span className="flex min-w-0 flex-1 flex-col gap-1.5 p-3 sm:gap-2 sm:p-3.5">
          <span className="flex items-start gap-2">
            <span id={`${id}-title`} className="min-w-0 flex-1">
              <span className="block font-display text-lg leading-tight font-bold text-(--strong)">{label}</span>
              <span className="block text-sm text-fog">Round {highlight.round_number}</span>
            </span>
            <input
              type="checkbox"
              name="highlight"
              value={highlight.id}
              checked={isActive}
              // All of the card would be read out at every step through the list.
              aria-labelledby={`${id}-title ${id}-player`}
              aria-describedby={`${id}-reason`}
              onChange={() => onToggle(highlight)}
              className="tick mt-0.5 size-6 [--tick:var(--color-flare)]"
            />
          </span>
          <span id={`${id}-reason`} className="text-sm leading-snug text-(--weak)">
            {highlight.reason}
          </span>
          <span className="mt-auto flex items-center gap-2 text-sm">
            <span className="opacity-(--shown)">
              <Avatar
                url={highlight.player_avatar_url}
                of={highlight.player_steam_id ?? highlight.player_name}
                className="size-7 text-sm"
              />
            </span>
            {/* What is pressed in a label ticks its box, but a link in it goes where it leads. */}
            <PlayerName
              id={`${id}-player`}
              steamId={highlight.player_steam_id}
              name={highlight.player_name}
              className="leading-6 font-semibold text-(--strong)"
            />
            {highlight.victims_data.length > 0 ? (
              <span
                className="ml-auto flex -space-x-1.5"
                title={highlight.victims_data.map(({ name }) => name).join(", ")}
              >
                <span className="sr-only">
                  Victims:{" "}
                  {highlight.victims_data.map(({ name }, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: bots share a missing SteamID, and the list never changes order.
                    <Fragment key={index}>
                      {index > 0 ? ", " : ""}
                      <bdi>{name}</bdi>
                    </Fragment>
                  ))}
                </span>
                {highlight.victims_data.map((victim, index) => (
                  <Avatar
                    // biome-ignore lint/suspicious/noArrayIndexKey: bots share a missing SteamID, and the list never changes order.
                    key={index}
                    url={victim.avatar_url}
                    of={victim.steam_id ?? victim.name}
                    className="size-6 text-xs opacity-(--shown)"
                  />
                ))}
              </span>
            ) : null}
          </span>
        </span>
        {isTopPick ? <span className="top-pick">Top pick</span> : null}
      </label>
      {/* Beside the label: it is no part of the checkbox's name, and who presses the card ticks it. */}
      <PreviewButton
        isOverPicture
        value={highlight.id}
        label={`Preview ${label} by ${highlight.player_name}, round ${highlight.round_number}`}
        matchPath={matchPath}
        picturesUrl={picturesUrl}
        className="btn btn-quiet"
      />
    </div>
  );
});
