import { Link, useNavigate } from "@remix-run/react";
import { DragHandle } from "../../shell/drag-handle.tsx";
import { announce } from "../../shell/notices/awaited-clips.ts";
import { Icon } from "../../shell/pieces/icon.tsx";
import { addressWith, type ChoosableClip, movedId } from "./chosen-clips.ts";
import { ClipFacts, Thumbnail } from "./clip-facts.tsx";

interface ChosenListProps {
  chosen: readonly ChoosableClip[];
  /** Of the clips that are chosen by now, including presses that the server has not answered. */
  ids: readonly number[];
  /** Where the list of clips to choose from begins. */
  offset: number;
  focusAfter: (...ids: string[]) => () => void;
}

/** The chosen clips in their order, each with what moves it or takes it out. */
export function ChosenList({ chosen, ids, offset, focusAfter }: ChosenListProps) {
  const navigate = useNavigate();
  const sayPlace = (id: number, to: number) => {
    const clip = chosen.find((each) => each.id === id);
    announce(`${clip?.name ?? "The clip"} is now ${to + 1} of ${chosen.length}`);
  };
  const drag = (id: number) => (from: number, to: number) => {
    sayPlace(id, to);
    navigate(addressWith(movedId(ids, id, to - from), offset), { replace: true, preventScrollReset: true });
  };
  return (
    <ol className="mt-4 grid gap-2">
      {chosen.map((clip, index) => (
        <li
          key={clip.id}
          className="flex items-center gap-3 rounded-lg border border-line bg-ink p-2 max-sm:flex-wrap max-sm:gap-y-1"
        >
          <span className="flex flex-none items-center max-sm:flex-col">
            {chosen.length > 1 ? <DragHandle onMove={drag(clip.id)} /> : null}
            <span className="figure w-5 flex-none text-center text-xl text-haze" aria-hidden="true">
              {index + 1}
            </span>
          </span>
          <Thumbnail clip={clip} className="w-16" />
          <ClipFacts clip={clip} />
          {/* On phones below the name, which they would leave no room. */}
          <div className="flex flex-none max-sm:w-full max-sm:justify-end">
            {([-1, 1] as const).map((by) => {
              const way = by < 0 ? "up" : "down";
              const isPossible = by < 0 ? index > 0 : index < chosen.length - 1;
              return isPossible ? (
                <Link
                  key={way}
                  id={`${way}-${clip.id}`}
                  to={addressWith(movedId(ids, clip.id, by), offset)}
                  onClick={() => {
                    focusAfter(`${way}-${clip.id}`, `${by < 0 ? "down" : "up"}-${clip.id}`)();
                    sayPlace(clip.id, index + by);
                  }}
                  replace
                  preventScrollReset
                  className="icon-btn w-9"
                  aria-label={`Move ${clip.name} ${way}`}
                >
                  <Icon name={way} className="size-5" />
                </Link>
              ) : (
                <span key={way} aria-hidden="true" className="icon-btn w-9 opacity-25">
                  <Icon name={way} className="size-5" />
                </span>
              );
            })}
            <Link
              to={addressWith(
                ids.filter((id) => id !== clip.id),
                offset,
              )}
              onClick={focusAfter("chosen")}
              replace
              preventScrollReset
              className="icon-btn w-9"
              aria-label={`Take ${clip.name} out`}
            >
              <Icon name="close" className="size-5" />
            </Link>
          </div>
        </li>
      ))}
    </ol>
  );
}
