import { Form, Link, useNavigate, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { type ClipFormat, clipFormatLabels } from "../../../contract/clip-formats.ts";
import { limits } from "../../../contract/limits.ts";
import { BackButton } from "../../shell/back-button.tsx";
import { lengthText } from "../../shell/clock-text.ts";
import { DragHandle } from "../../shell/drag-handle.tsx";
import { giveFocus } from "../../shell/heir-of-focus.ts";
import { announce } from "../../shell/notices/awaited-clips.ts";
import { Icon } from "../../shell/pieces/icon.tsx";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { withWaysOut } from "../../shell/pieces/with-ways-out.tsx";
import { groupLabels } from "../group-labels.ts";
import {
  addressWith,
  type ChoosableClip,
  type CompilationPlan,
  chosenByNow,
  chosenField,
  inOrderOf,
  movedId,
} from "./chosen-clips.ts";
import { CompilationFormat } from "./compilation-format.tsx";

/** Clips of one match, those of them that can be chosen. */
export interface ChoosableGroup {
  matchId: string;
  map: string;
  clips: ChoosableClip[];
}

interface CompilePageProps {
  chosen: ChoosableClip[];
  plan: CompilationPlan;
  groups: ChoosableGroup[];
  offset: number;
  nextOffset: number | null;
  /** What the server says of the form that was sent. */
  error: string | null;
  name: string;
  /** As it was chosen in the form that was refused. */
  format: ClipFormat | null;
}

/** Choosing and ordering clips. The address holds the choice, so every step is a link and works without JavaScript. */
export function CompilePage({
  chosen: loaded,
  plan,
  groups,
  offset,
  nextOffset,
  error,
  name,
  format,
}: CompilePageProps) {
  const navigate = useNavigate();
  const navigation = useNavigation();
  // Clips that were moved stand where they were moved to while the server is asked.
  const chosen = inOrderOf(navigation.location?.search, loaded);
  const shownIds = chosen.map(({ id }) => id);
  const { ids, offset: nextList } = chosenByNow(navigation.location, { ids: shownIds, offset });
  const isFull = ids.length >= limits.partsOfCompilation.max;
  const isSending = navigation.formMethod === "POST";
  const sayPlace = (id: number, to: number) => {
    const clip = chosen.find((each) => each.id === id);
    announce(`${clip?.name ?? "The clip"} is now ${to + 1} of ${chosen.length}`);
  };
  const drag = (id: number) => (from: number, to: number) => {
    sayPlace(id, to);
    navigate(addressWith(movedId(ids, id, to - from), nextList), { replace: true, preventScrollReset: true });
  };
  const focusAfter = useFocusAfterChange(ids.join());
  const listHeading = useFocusOfOtherList(
    offset,
    groups.reduce((sum, { clips }) => sum + clips.length, 0),
  );
  const { min, max } = limits.partsOfCompilation;
  const labels = groupLabels(groups.map((group) => group.map));
  return (
    <div className="grid grid-cols-1 gap-8">
      <header>
        <BackButton />
        <h1 className="title-1 mt-6">New compilation</h1>
        <p className="mt-3 max-w-2xl text-lg text-fog">
          Put {min} to {max} of your finished clips in order, {limits.compilationSeconds / 60} minutes at most. They
          become one video in seconds: nothing is rendered again.
        </p>
      </header>
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] xl:grid-cols-2 lg:items-start">
        <section aria-labelledby="chosen" className="panel min-w-0 p-4 sm:p-5 lg:sticky lg:top-20 lg:order-2">
          <div className="flex items-baseline justify-between gap-4">
            <h2 id="chosen" tabIndex={-1} className="title-2">
              Your choice
            </h2>
            <p role="status" className="figure text-fog">
              {chosen.length} / {max} · {lengthText(plan.seconds)}
            </p>
          </div>
          {chosen.length === 0 ? (
            <p className="mt-4 rounded-lg border border-dashed border-line-2 px-4 py-8 text-center text-fog">
              Add clips from your list. They play in the order shown here.
            </p>
          ) : (
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
                          to={addressWith(movedId(ids, clip.id, by), nextList)}
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
                        nextList,
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
          )}
          <Form method="post" className="mt-5 grid gap-4">
            {shownIds.map((id) => (
              <input key={id} type="hidden" name={chosenField} value={id} />
            ))}
            <label className="grid gap-1.5 text-sm text-fog">
              Name (optional)
              <input
                name="name"
                defaultValue={name}
                maxLength={limits.clipNameCharacters}
                className="field"
                autoComplete="off"
              />
            </label>
            {chosen.length >= min && plan.formats.length > 0 ? (
              <CompilationFormat chosen={chosen} plan={plan} asked={format} />
            ) : null}
            {error || (plan.problem && chosen.length >= min) ? (
              <p role="alert" className="flex gap-2 text-loss">
                <Icon name="alert" className="mt-0.5 size-5 flex-none" />
                <span>{withWaysOut(error ?? plan.problem)}</span>
              </p>
            ) : null}
            <SubmitButton disabled={plan.problem !== null} isSending={isSending} className="btn btn-primary">
              {isSending
                ? "Creating..."
                : `Create compilation (${chosen.length} ${chosen.length === 1 ? "clip" : "clips"})`}
            </SubmitButton>
          </Form>
        </section>
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
      </div>
    </div>
  );
}

function Thumbnail({ clip, className }: { clip: ChoosableClip; className: string }) {
  return (
    <span className={`relative aspect-video flex-none overflow-hidden rounded-md bg-void ${className}`}>
      {clip.thumbnailUrl ? (
        <img src={clip.thumbnailUrl} alt="" loading="lazy" className="absolute inset-0 size-full object-cover" />
      ) : null}
    </span>
  );
}

function ClipFacts({ clip }: { clip: ChoosableClip }) {
  return (
    <div className="min-w-0 flex-1">
      <p className="line-clamp-3 text-sm leading-snug font-semibold wrap-anywhere">{clip.name}</p>
      <p className="text-xs text-fog">
        {[
          clip.map,
          clip.seconds === null ? "" : lengthText(clip.seconds),
          ...clip.formats.map((f) => clipFormatLabels[f]),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </div>
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

/** A row that moves in the list takes the focus away from what was pressed in it. It is given back, or to what is named next. */
function useFocusAfterChange(choice: string) {
  const wanted = useRef<readonly string[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice is what changes.
  useEffect(() => {
    const target = wanted.current?.map((id) => document.getElementById(id)).find((element) => element !== null);
    wanted.current = null;
    target?.focus({ preventScroll: true });
  }, [choice]);
  return (...ids: string[]) =>
    () => {
      wanted.current = ids;
    };
}
