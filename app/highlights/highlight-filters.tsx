import { memo, type ReactNode } from "react";
import { limits } from "../../contract/limits.ts";
import { Avatar } from "../shell/pieces/avatar.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { Unfold } from "../shell/pieces/unfold.tsx";
import {
  allCategories,
  categoryOf,
  type FilterCategory,
  type HighlightSelection,
  type SelectableHighlight,
  type SelectorTeam,
  shortPlayerName,
} from "./highlight-selection.ts";

const categoryLooks = {
  special: { label: "Special Kills", icon: "special" },
  multikill: { label: "Multikills", icon: "ace" },
  clutch: { label: "Clutches", icon: "clutch_1v3" },
  other: { label: "Other", icon: "multi_kill" },
} as const;

const teamColors = ["text-ct", "text-tee"];

interface HighlightFiltersProps {
  query: URLSearchParams;
  teams: readonly SelectorTeam[];
  /** Of the selection only what filters show: they stay the same objects when a single card is ticked. */
  players: HighlightSelection["players"];
  categories: HighlightSelection["categories"];
  highlights: readonly SelectableHighlight[];
  /** The same function at every rendering: a tick of one card draws no filter anew. */
  onToggle: (toggle: string) => void;
}

/** The filter column: all or none, categories, teams and their players. Where there is no column, they fold away. */
export const HighlightFilters = memo(function HighlightFilters({
  query,
  teams,
  players,
  categories,
  highlights,
  onToggle,
}: HighlightFiltersProps) {
  const count = (category: FilterCategory) =>
    highlights.filter(({ highlight_type: type }) => categoryOf(type) === category).length;
  return (
    <aside
      aria-label="Filters"
      className="relative min-w-0 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:self-start lg:overflow-y-auto lg:max-xl:max-h-[calc(100dvh-11rem)]"
    >
      <div className="lg:rounded-2xl lg:border lg:border-line lg:bg-deck lg:p-4">
        <Unfold
          query={query}
          name="filters"
          label="Filters"
          until="lg"
          folded={
            <div className="grid gap-5 max-lg:mt-3 lg:mt-5">
              <div className="grid gap-2">
                <h3 className="eyebrow">Categories</h3>
                <div className="grid grid-cols-2 gap-2 lg:grid-cols-1">
                  {allCategories.map((category) => (
                    <FilterButton
                      key={category}
                      value={`category:${category}`}
                      isOn={categories.includes(category)}
                      onToggle={onToggle}
                      className="filter"
                    >
                      <Icon name={categoryLooks[category].icon} />
                      <span className="flex-1">{categoryLooks[category].label}</span>
                      <span className="text-haze tabular-nums">{count(category)}</span>
                    </FilterButton>
                  ))}
                </div>
              </div>
              <div className="grid grid-cols-2 gap-4 lg:grid-cols-1">
                {teams.map((team, index) =>
                  team.players.length > 0 ? (
                    <div key={team.name} className="grid min-w-0 grid-cols-1 content-start gap-1.5">
                      <FilterButton
                        value={`team:${index}`}
                        isOn={team.players.every(({ key }) => players.includes(key))}
                        onToggle={onToggle}
                        className={`filter !font-display !text-base !font-bold uppercase ${teamColors[index] ?? ""}`}
                      >
                        <bdi className="truncate">{team.name}</bdi>
                      </FilterButton>
                      {team.players.map((player) => (
                        <FilterButton
                          key={player.key}
                          value={`player:${player.key}`}
                          isOn={players.includes(player.key)}
                          onToggle={onToggle}
                          className="filter"
                          title={player.name}
                        >
                          <Avatar url={player.avatarUrl} of={player.key} className="size-7 text-sm" />
                          <bdi className="truncate">{shortPlayerName(player.name, limits.playerNameCharacters)}</bdi>
                        </FilterButton>
                      ))}
                    </div>
                  ) : null,
                )}
              </div>
            </div>
          }
        >
          <FilterButton value="all" onToggle={onToggle} className="btn btn-quiet min-w-20 lg:flex-1">
            All
          </FilterButton>
          <FilterButton value="none" onToggle={onToggle} className="btn btn-quiet min-w-20 lg:flex-1">
            None
          </FilterButton>
        </Unfold>
      </div>
    </aside>
  );
});

interface FilterButtonProps {
  value: string;
  isOn?: boolean;
  onToggle: (toggle: string) => void;
  className: string;
  title?: string;
  children: ReactNode;
}

/** Sends the form by GET before and without JavaScript; the page comes back with the filter applied. */
export function FilterButton({ value, isOn, onToggle, className, title, children }: FilterButtonProps) {
  return (
    <button
      type="submit"
      formMethod="get"
      // The page comes back where it was left.
      formAction="#highlights-heading"
      formNoValidate
      name="toggle"
      value={value}
      aria-pressed={isOn}
      title={title}
      className={className}
      onClick={(event) => {
        event.preventDefault();
        onToggle(value);
      }}
    >
      {children}
    </button>
  );
}
