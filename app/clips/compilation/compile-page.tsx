import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { ClipFormat } from "../../../contract/clip-formats.ts";
import { limits } from "../../../contract/limits.ts";
import { BackButton } from "../../shell/back-button.tsx";
import { lengthText } from "../../shell/clock-text.ts";
import { Icon } from "../../shell/pieces/icon.tsx";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { withWaysOut } from "../../shell/pieces/with-ways-out.tsx";
import { type ChoosableClip, type CompilationPlan, chosenByNow, chosenField, inOrderOf } from "./chosen-clips.ts";
import { ChosenList } from "./chosen-list.tsx";
import { CompilationFormat } from "./compilation-format.tsx";
import { type ChoosableGroup, OwnClips } from "./own-clips.tsx";

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
  const navigation = useNavigation();
  // Clips that were moved stand where they were moved to while the server is asked.
  const chosen = inOrderOf(navigation.location?.search, loaded);
  const shownIds = chosen.map(({ id }) => id);
  const { ids, offset: nextList } = chosenByNow(navigation.location, { ids: shownIds, offset });
  const isSending = navigation.formMethod === "POST";
  const focusAfter = useFocusAfterChange(ids.join());
  const { min, max } = limits.partsOfCompilation;
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
            <ChosenList chosen={chosen} ids={ids} offset={nextList} focusAfter={focusAfter} />
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
        <OwnClips
          groups={groups}
          ids={ids}
          offset={offset}
          nextOffset={nextOffset}
          nextList={nextList}
          focusAfter={focusAfter}
        />
      </div>
    </div>
  );
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
