import { useLocation } from "@remix-run/react";
import type { ClipFilter } from "../../../contract/schemas/clip-lists.ts";
import { Unfold } from "../../shell/pieces/unfold.tsx";
import { isFiltered } from "./clip-filter.ts";
import { FilterForm, FilterList, PlayerField, TypeList } from "./filter-form.tsx";
import type { MapOption } from "./map-options.server.ts";

interface ClipFiltersProps {
  action: string;
  filter: ClipFilter;
  maps: readonly MapOption[];
}

/** Narrows lists of clips down by map, type and player of their highlights. On phones folded away: the clips come first. */
export function ClipFilters({ action, filter, maps }: ClipFiltersProps) {
  const { search } = useLocation();
  return (
    <div className="relative">
      <Unfold
        query={new URLSearchParams(isFiltered(filter) ? "unfolded=filters" : search)}
        name="filters"
        label="Filters"
        until="md"
        folded={
          <div className="max-md:mt-3">
            <FilterForm action={action} label="Filter clips" isFiltered={isFiltered(filter)}>
              <FilterList name="map" label="Map" all="All maps" options={maps} value={filter.map} />
              <TypeList value={filter.type} />
              <PlayerField value={filter.player} />
            </FilterForm>
          </div>
        }
      />
    </div>
  );
}
