import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { limits } from "../../../contract/limits.ts";
import { giveFocus } from "../../shell/heir-of-focus.ts";
import { announce } from "../../shell/notices/awaited-clips.ts";
import { groupLabels } from "../group-labels.ts";
import { addressWith, type ChoosableClip } from "./chosen-clips.ts";
import { ClipFacts, Thumbnail } from "./clip-facts.tsx";

/** Clips of one match, those of them that can be chosen. */
export interface ChoosableGroup {
  matchId: string;
  map: string;
  clips: ChoosableClip[];
}

interface OwnClipsProps {
  groups: readonly ChoosableGroup[];
  /** Of the clips that are chosen by now. */
  ids: readonly number[];
  offset: number;
  nextOffset: number | null;
  /** Where the list begins once the server has answered what was pressed. */
  nextList: number;
  focusAfter: (...ids: string[]) => () => void;
}

/** The player's finished clips, each with a link that adds it. */
export function OwnClips({ groups, ids, offset, nextOffset, nextList, focusAfter }: OwnClipsProps) {
  const isFull = ids.length >= limits.partsOfCompilation.max;
  const labels = groupLabels(groups.map((group) => group.map));
  const listHeading = useFocusOfOtherList(
    offset,
    groups.reduce((sum, { clips }) => sum + clips.length, 0),
  );
  return (
    <section aria-labelledby="own-clips" className="min-w-0">
      <h2 ref={listHeading} id="own-clips" className="title-2 scroll-mt-24">
        Your clips
      </h2>
      {groups.length === 0 ? (
        <p className="mt-4 rounded-2xl border border-dashed border-line-2 px-6 py-10 text-center text-fog">
          No finished clips to choose from yet.{" "}
          <Link to="/matches" className="link">
            Make one from a match
          </Link>
        </p>
      ) : null}
      {groups.map((group, position) => (
        <section key={group.matchId} aria-label={labels[position]} className="mt-5">
          <h3 className="eyebrow">{group.map}</h3>
          <ul className="mt-2 grid gap-2">
            {group.clips.map((clip) => {
              const isChosen = ids.includes(clip.id);
              return (
                <li key={clip.id} className="panel flex items-center gap-3 p-2.5">
                  <Thumbnail clip={clip} className="w-28" />
                  <ClipFacts clip={clip} />
                  {isChosen ? (
                    <span className="chip flex-none text-chalk">#{ids.indexOf(clip.id) + 1}</span>
                  ) : isFull ? null : (
                    <Link
                      to={addressWith([...ids, clip.id], nextList)}
                      replace
                      preventScrollReset
                      onClick={focusAfter("chosen")}
                      className="btn btn-quiet flex-none"
                      aria-label={`Add ${clip.name}`}
                    >
                      Add
                    </Link>
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
      {nextOffset !== null || offset > 0 ? (
        <nav aria-label="More of your clips" className="mt-6 flex gap-3">
          {offset > 0 ? (
            <Link
              to={addressWith(ids, Math.max(0, offset - limits.clipGroupsPerRequest))}
              preventScrollReset
              className="btn btn-quiet"
            >
              Newer clips
            </Link>
          ) : null}
          {nextOffset !== null ? (
            <Link to={addressWith(ids, nextOffset)} preventScrollReset className="btn btn-quiet">
              Older clips
            </Link>
          ) : null}
        </nav>
      ) : null}
    </section>
  );
}

/** Of a list that is replaced the new one is shown from its heading on, which gets the focus; how long it is, is read out. */
function useFocusOfOtherList(offset: number, count: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(offset);
  useEffect(() => {
    if (shown.current === offset) return;
    shown.current = offset;
    if (!heading.current) return;
    giveFocus(heading.current);
    heading.current.scrollIntoView();
    announce(count === 1 ? "1 clip" : `${count} clips`);
  }, [offset, count]);
  return heading;
}
