import type { HighlightFilter } from "../../../contract/schemas/found-highlights.ts";
import { FilterForm, FilterList, PlayerField, TypeList } from "../../clips/filters/filter-form.tsx";
import type { MapOption } from "../../clips/filters/map-options.server.ts";
import { useValueOfAddress } from "../../clips/filters/value-of-address.ts";
import { useHeirOfFocus } from "../../shell/heir-of-focus.ts";
import { Icon } from "../../shell/pieces/icon.tsx";
import { pickField } from "./highlight-filter.ts";
import { formId } from "./picks.ts";
import { Step } from "./step.tsx";

interface FoundFiltersProps {
  filter: HighlightFilter;
  isFiltered: boolean;
  maps: readonly MapOption[];
  weapons: readonly MapOption[];
  /** The ticked highlights that the page does not show; the form sends them along. */
  elsewhere: readonly string[];
}

/** What the list is filtered by: type, weapon, map, player and day. */
export function FoundFilters({ filter, isFiltered, maps, weapons, elsewhere }: FoundFiltersProps) {
  const isEverybody = filter.player === "all";
  return (
    <FilterForm
      id={formId}
      action="/highlights"
      label="Filter highlights"
      isFiltered={isFiltered}
      clearBy={(heir) => (
        <Step heir={heir} filter={{}} className="btn min-h-12 text-fog hover:text-chalk">
          Clear
        </Step>
      )}
    >
      {elsewhere.map((pick) => (
        <input key={pick} type="hidden" name={pickField} value={pick} />
      ))}
      <TypeList value={filter.type} />
      <FilterList name="weapon" label="Weapon" all="All weapons" options={weapons} value={filter.weapon} />
      <FilterList name="map" label="Map" all="All maps" options={maps} value={filter.map} />
      {isEverybody ? <input type="hidden" name="whose" value="all" /> : null}
      <PlayerField value={isEverybody ? undefined : filter.player} />
      <DayField name="from" label="Played from" filter={filter} />
      <DayField name="until" label="until" filter={filter} />
    </FilterForm>
  );
}

interface DayFieldProps {
  name: "from" | "until";
  label: string;
  filter: HighlightFilter;
}

/** A date field with the browser's calendar. Not all calendars can clear it, so there is a link that does. */
function DayField({ name, label, filter }: DayFieldProps) {
  const { [name]: value, ...others } = filter;
  const field = useValueOfAddress<HTMLInputElement>(value ?? "");
  const clear = useHeirOfFocus<HTMLElement>(() => [field.current]);
  return (
    <div
      className={`grid min-w-0 grid-cols-1 gap-1 text-sm text-fog ${value ? "max-sm:col-span-2 sm:w-54" : "sm:w-40"}`}
    >
      <label htmlFor={`played-${name}`}>{label}</label>
      <div className="flex items-center gap-1">
        <input
          ref={field}
          id={`played-${name}`}
          type="date"
          name={name}
          defaultValue={value ?? ""}
          className="field min-w-0 flex-1"
        />
        {value ? (
          <Step heir={clear} filter={others} label={`Clear "${label}"`} className="icon-btn flex-none">
            <Icon name="close" className="size-5" />
          </Step>
        ) : null}
      </div>
    </div>
  );
}
