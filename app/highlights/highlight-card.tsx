import { Fragment, memo } from "react";
import { highlightLabel, highlightTypes } from "../../contract/highlight-types.ts";
import { Avatar } from "../shell/pieces/avatar.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { categoryOf } from "./highlight-selection.ts";
import type { HighlightSummary } from "./highlight-summary.ts";

interface HighlightCardProps {
  highlight: HighlightSummary;
  isActive: boolean;
  /** Switched by hand against the filters. */
  isOverridden: boolean;
  isTopPick: boolean;
  /** The same function at every rendering: of forty cards only the one that changes is drawn anew. */
  onToggle: (highlight: HighlightSummary) => void;
}

const categoryColors = { special: "text-tee", multikill: "text-flare", clutch: "text-ct" } as const;

/** A highlight with its checkbox: the whole card is the label. */
export const HighlightCard = memo(function HighlightCard({
  highlight,
  isActive,
  isOverridden,
  isTopPick,
  onToggle,
}: HighlightCardProps) {
  const category = categoryOf(highlight.highlight_type);
  const border = isOverridden ? "border-tee" : isActive ? "border-flare/70" : "border-line";
  return (
    <label
      data-active={isActive}
      data-override={isOverridden || undefined}
      className={`group relative flex cursor-pointer flex-col gap-2.5 rounded-xl border-2 p-3.5 transition-colors has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-ct ${border} ${
        isActive ? "bg-deck-2" : "bg-ink hover:bg-deck"
      }`}
    >
      <span className="flex items-start gap-3">
        <span
          className={`grid size-11 flex-none place-items-center rounded-lg bg-void ${
            category ? categoryColors[category] : "text-fog"
          } ${isActive ? "" : "opacity-60"}`}
        >
          <Icon name={iconOf(highlight.highlight_type)} className="size-6" />
        </span>
        <span className="min-w-0 flex-1">
          <span
            className={`block font-display text-lg leading-tight font-bold ${isActive ? "text-chalk" : "text-fog"}`}
          >
            {highlight.display_name || highlightLabel(highlight.highlight_type)}
          </span>
          <span className="block text-sm text-fog">Round {highlight.round_number}</span>
        </span>
        <input
          type="checkbox"
          name="highlight"
          value={highlight.id}
          checked={isActive}
          onChange={() => onToggle(highlight)}
          className="tick mt-0.5 size-6 [--tick:var(--color-flare)]"
        />
      </span>
      <span className={`text-sm leading-snug ${isActive ? "text-fog" : "text-haze"}`}>{highlight.reason}</span>
      <span className="mt-auto flex items-center gap-2 text-sm">
        <span className={isActive ? "" : "opacity-60"}>
          <Avatar
            url={highlight.player_avatar_url}
            of={highlight.player_steam_id ?? highlight.player_name}
            className="size-7 text-sm"
          />
        </span>
        <bdi className={`min-w-0 truncate font-semibold ${isActive ? "text-chalk" : "text-fog"}`}>
          {highlight.player_name}
        </bdi>
        {highlight.victims_data.length > 0 ? (
          <span className="ml-auto flex -space-x-1.5" title={highlight.victims_data.map(({ name }) => name).join(", ")}>
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
                className={`size-6 text-xs ${isActive ? "" : "opacity-60"}`}
              />
            ))}
          </span>
        ) : null}
      </span>
      {isTopPick ? (
        <span className="absolute -top-2.5 left-3 rounded bg-flare px-1.5 font-display text-xs leading-4.5 font-bold tracking-wider text-void uppercase">
          Top pick
        </span>
      ) : null}
    </label>
  );
});

/** Every type has its picture; one that these pages do not know yet, a common one. */
const iconOf = (type: string) => (highlightTypes.some((known) => known === type) ? type : "other");
