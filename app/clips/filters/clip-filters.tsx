import type { ClipFilter } from "../../../contract/schemas/clip-lists.ts";
import { isFiltered } from "./clip-filter.ts";
import { FilterForm, FilterList, PlayerField, TypeList } from "./filter-form.tsx";
import type { MapOption } from "./map-options.server.ts";

interface ClipFiltersProps {
  action: string;
  filter: ClipFilter;
  maps: readonly MapOption[];
}

/** Narrows lists of clips down by map, type and player of their highlights. */
export function ClipFilters({ action, filter, maps }: ClipFiltersProps) {
  return (
    <FilterForm action={action} label="Filter clips" isFiltered={isFiltered(filter)}>
      <FilterList name="map" label="Map" all="All maps" options={maps} value={filter.map} />
      <TypeList value={filter.type} />
      <PlayerField value={filter.player} />
    </FilterForm>
  );
}
