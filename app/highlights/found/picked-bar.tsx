import { useContext } from "react";
import { limits } from "../../../contract/limits.ts";
import type { HighlightFilter } from "../../../contract/schemas/found-highlights.ts";
import { useHeirOfFocus } from "../../shell/heir-of-focus.ts";
import { uncoveredFocus } from "../../shell/uncovered-focus.ts";
import { useHydrated } from "../../shell/use-hydrated.ts";
import { goField, highlightsQuery, maxPicks, pickField, picksByMatch } from "./highlight-filter.ts";
import { formId, Picked } from "./picks.ts";

interface PickedBarProps {
  /** How many ticked highlights are not on this page. */
  elsewhere: number;
  leftOut: number;
  filter: HighlightFilter;
  page: number;
  onUntick: () => void;
}

/** How many highlights are ticked, and the button that makes a clip of them. */
export function PickedBar({ elsewhere, leftOut, filter, page, onUntick }: PickedBarProps) {
  const picks = useContext(Picked);
  const isHydrated = useHydrated();
  const mostOfMatch = Math.max(0, ...[...picksByMatch(picks).values()].map(({ length }) => length));
  const tooMany =
    picks.length > maxPicks
      ? `Too many highlights ticked (${picks.length}/${maxPicks} max)`
      : mostOfMatch > limits.highlightsPerClip
        ? `Too many highlights of one match (${mostOfMatch}/${limits.highlightsPerClip} max)`
        : null;
  const untick = useHeirOfFocus<HTMLButtonElement>((gone) => [
    gone.closest("main")?.querySelector<HTMLElement>(`input[type=checkbox][name=${pickField}]`),
    gone.closest("main")?.querySelector("h1"),
  ]);
  return (
    <div
      ref={uncoveredFocus}
      className="create-bar ticked-bar sticky bottom-0 z-10 mt-5 flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line bg-void py-3 max-sm:bottom-16"
    >
      <p role="status" className="text-sm text-fog">
        {tooMany ?? ticksInWords(picks.length, elsewhere, isHydrated)}
        {leftOut > 0 ? ` ${leftOut} more did not stay ticked: ${maxPicks} at once is the most.` : null}
      </p>
      {isHydrated ? (
        picks.length > 0 ? (
          <button ref={untick} type="button" onClick={onUntick} className="btn px-3 text-fog hover:text-chalk">
            Untick all
          </button>
        ) : null
      ) : (
        <button
          type="submit"
          form={formId}
          name={goField}
          value={`${highlightsQuery(filter, page)}&untick=1`}
          className="btn px-3 text-fog hover:text-chalk"
        >
          Untick all
        </button>
      )}
      <button
        type="submit"
        form={formId}
        name="make"
        value={page}
        disabled={isHydrated && (picks.length === 0 || tooMany !== null)}
        className="btn btn-primary ml-auto"
      >
        Make a clip of these
      </button>
    </div>
  );
}

/** @param isCounted whether the ticks on this page are known, which needs a script */
function ticksInWords(ticked: number, elsewhere: number, isCounted: boolean): string {
  if (isCounted) return `${ticked} ticked${elsewhere > 0 ? `, ${elsewhere} of them not shown here` : ""}`;
  return elsewhere > 0 ? `${elsewhere} ticked that are not shown here` : "";
}
