import { Form, Link, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { Visibility } from "../../../contract/clip-address.ts";
import { limits } from "../../../contract/limits.ts";
import { DragHandle } from "../../shell/drag-handle.tsx";
import { announce } from "../../shell/notices/awaited-clips.ts";
import { Icon } from "../../shell/pieces/icon.tsx";
import { SubmitButton } from "../../shell/pieces/submit-button.tsx";
import { movedTo } from "../moved-to.ts";

interface EditClipProps {
  /** Its `public_id`. */
  id: string;
  visibility: Visibility;
  name: string;
  /** Seconds before the first kill and after the last, on top of two. */
  leadIn: number;
  leadOut: number;
  /** False while its video is not ready, and once the replay data of its match is gone. */
  canRender: boolean;
  isReady: boolean;
  /** Of a compilation: where its clips are joined anew. */
  joinAnew: string | null;
  rounds: { round: number; shows: { player: string; reason: string }[] }[];
  /** What its fields held before a sign-in, or when the form was refused, by their names. */
  typed: URLSearchParams;
  failure: { problem: string; of: string } | null;
}

/** Where its owner renames a clip, and makes a new version of it. Forms alone, so nothing of it is on the clip's own page. */
export function EditClip({
  id,
  visibility,
  name,
  leadIn,
  leadOut,
  canRender,
  isReady,
  joinAnew,
  rounds,
  typed,
  failure,
}: EditClipProps) {
  const isBusy = useNavigation().state !== "idle";
  const { preTimeAdjustmentSeconds: lead, postTimeAdjustmentSeconds: tail, clipNameCharacters } = limits;
  return (
    <div className="mx-auto grid max-w-2xl gap-6">
      <Link to={`/clips/${id}`} className="btn btn-quiet justify-self-start">
        <Icon name="back" />
        Back to the clip
      </Link>
      <h1 className="title-1">Edit Clip</h1>
      <Form method="post" data-way-back={`/clips/${id}/edit`} className="panel grid gap-4 p-5">
        <label className="grid gap-1.5">
          <span className="text-sm font-semibold text-fog">Name</span>
          <input
            name="name"
            required
            defaultValue={typed.get("name") ?? name}
            maxLength={clipNameCharacters}
            className="field"
          />
        </label>
        <p className="text-sm text-fog">If the video shows the name at its end, it keeps the old one there.</p>
        <Problem failure={failure} of="rename" />
        <SubmitButton name="intent" value="rename" isSending={isBusy} className="btn btn-primary justify-self-start">
          Save the name
        </SubmitButton>
      </Form>
      <Form method="post" className="panel grid gap-4 p-5">
        <h2 className="title-2">Who can watch</h2>
        <label className="flex items-start gap-3">
          <input
            type="checkbox"
            name="unlisted"
            defaultChecked={typed.has("unlisted") ? Boolean(typed.get("unlisted")) : visibility === "unlisted"}
            className="tick mt-0.5 size-6 [--tick:var(--color-ct)]"
          />
          <span>
            <span className="block font-semibold">Only people with the link</span>
            <span className="block text-sm text-fog">
              The clip appears in no list or search, and its address cannot be guessed. Links you shared before stop
              working.
            </span>
          </span>
        </label>
        <Problem failure={failure} of="visibility" />
        <SubmitButton
          name="intent"
          value="visibility"
          isSending={isBusy}
          className="btn btn-primary justify-self-start"
        >
          Save visibility
        </SubmitButton>
      </Form>
      {canRender ? (
        <Form method="post" data-way-back={`/clips/${id}/edit`} className="panel grid gap-5 p-5">
          <div>
            <h2 className="title-2">New version</h2>
            <p className="mt-1 text-sm text-fog">
              It becomes a new clip: this one keeps its address, its likes and its video until you delete it.
            </p>
          </div>
          {rounds.length > 1 ? <RoundOrder rounds={inTypedOrder(rounds, typed)} /> : null}
          <div className="grid gap-4 sm:grid-cols-2">
            <Seconds
              name="leadIn"
              label="Lead-in, extra seconds before the first kill"
              value={typed.get("leadIn") ?? leadIn}
              {...lead}
            />
            <Seconds
              name="leadOut"
              label="Lead-out, extra seconds after the last kill"
              value={typed.get("leadOut") ?? leadOut}
              {...tail}
            />
          </div>
          <Problem failure={failure} of="version" />
          <SubmitButton name="intent" value="version" isSending={isBusy} className="btn btn-primary justify-self-start">
            Render the new version
          </SubmitButton>
        </Form>
      ) : joinAnew ? (
        <p className="text-fog">
          A compilation stays as it was joined.{" "}
          <Link to={joinAnew} className="link">
            Join its clips again
          </Link>{" "}
          in another order, or with others.
        </p>
      ) : (
        <p className="text-fog">
          {isReady
            ? "The replay of this match is no longer kept, so no new version can be made of this clip."
            : "A new version can be made once the clip’s video is ready."}
        </p>
      )}
    </div>
  );
}

/** The rounds in the order of the new version: by dragging, or by the place that is chosen for each, which the form sends. */
function RoundOrder({ rounds }: Pick<EditClipProps, "rounds">) {
  const [ordered, setOrdered] = useState(rounds);
  /** A row that moves takes the focus away from its field. */
  const moved = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is what changes.
  useEffect(() => {
    if (moved.current) document.getElementById(moved.current)?.focus({ preventScroll: true });
    moved.current = null;
  }, [ordered]);
  const move = (from: number, to: number) => {
    setOrdered(movedTo(ordered, from, to));
    announce(`Round ${ordered[from]?.round} is now ${to + 1} of ${ordered.length}`);
  };
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold text-fog">Order</legend>
      <ol className="grid gap-2">
        {ordered.map(({ round, shows }, index) => (
          <li
            key={round}
            className="flex min-h-12 items-center gap-2 rounded-lg border border-line bg-ink py-2 pr-3 pl-1 not-has-[.drag-handle]:pl-3"
          >
            <DragHandle onMove={move} />
            <label htmlFor={`place-${round}`} className="min-w-0 flex-1">
              <span className="block font-semibold">
                Round {round}
                <span className="sr-only">, place</span>
              </span>
              {shows.map(({ player, reason }) => (
                <span key={`${player} ${reason}`} className="line-clamp-2 text-sm wrap-anywhere text-fog">
                  <bdi>{player}</bdi>, {reason}
                </span>
              ))}
            </label>
            <select
              id={`place-${round}`}
              name={`place-${round}`}
              value={index + 1}
              onChange={(event) => {
                moved.current = `place-${round}`;
                move(index, Number(event.target.value) - 1);
              }}
              className="field w-20 flex-none"
            >
              {ordered.map((other, place) => (
                <option key={other.round} value={place + 1}>
                  {place + 1}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ol>
    </fieldset>
  );
}

/** The order that the places of a form say. */
function inTypedOrder(rounds: EditClipProps["rounds"], typed: URLSearchParams): EditClipProps["rounds"] {
  const place = (round: number, otherwise: number) => Number(typed.get(`place-${round}`) ?? otherwise);
  return rounds
    .map((each, index) => ({ each, at: place(each.round, index + 1) }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

function Seconds(field: { name: string; label: string; value: number | string; min: number; max: number }) {
  return (
    <label className="grid content-between gap-1.5">
      <span className="text-sm font-semibold text-fog">
        {field.label} ({field.min} to {field.max})
      </span>
      <input
        type="number"
        name={field.name}
        defaultValue={field.value}
        min={field.min}
        max={field.max}
        step={0.5}
        className="field"
      />
    </label>
  );
}

function Problem({ failure, of }: { failure: EditClipProps["failure"]; of: string }) {
  return (
    <p role="alert" className="font-semibold text-loss empty:hidden">
      {failure?.of === of ? failure.problem : null}
    </p>
  );
}
