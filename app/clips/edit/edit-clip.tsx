import { Form, Link, useNavigation } from "@remix-run/react";
import { limits } from "../../../contract/limits.ts";
import { Icon } from "../../shell/pieces/icon.tsx";

interface EditClipProps {
  id: number;
  name: string;
  /** Seconds before the first kill and after the last, on top of two. */
  leadIn: number;
  leadOut: number;
  /** False once the replay data of its match is gone. */
  canRender: boolean;
  rounds: { round: number; shows: { player: string; reason: string }[] }[];
  failure: { problem: string; of: string } | null;
}

/** Where its owner renames a clip, and makes a new version of it. Forms alone, so nothing of it is on the clip's own page. */
export function EditClip({ id, name, leadIn, leadOut, canRender, rounds, failure }: EditClipProps) {
  const isBusy = useNavigation().state !== "idle";
  const { preTimeAdjustmentSeconds: lead, postTimeAdjustmentSeconds: tail, clipNameCharacters } = limits;
  return (
    <div className="mx-auto grid max-w-2xl gap-6">
      <Link to={`/clips/${id}`} className="btn btn-quiet justify-self-start">
        <Icon name="back" />
        Back to the clip
      </Link>
      <h1 className="title-1">Edit Clip</h1>
      <Form method="post" className="panel grid gap-4 p-5">
        <label className="grid gap-1.5">
          <span className="text-sm font-semibold text-fog">Name</span>
          <input name="name" required defaultValue={name} maxLength={clipNameCharacters} className="field" />
        </label>
        <p className="text-sm text-fog">A name that the video itself shows at its end stays as it was rendered.</p>
        <Problem failure={failure} of="rename" />
        <button
          type="submit"
          name="intent"
          value="rename"
          disabled={isBusy}
          className="btn btn-primary justify-self-start"
        >
          Save the name
        </button>
      </Form>
      {canRender ? (
        <Form method="post" className="panel grid gap-5 p-5">
          <div>
            <h2 className="title-2">New version</h2>
            <p className="mt-1 text-sm text-fog">
              It becomes a clip of its own: this one keeps its address, its likes and its video until you delete it.
            </p>
          </div>
          {rounds.length > 1 ? (
            <fieldset className="grid gap-2">
              <legend className="mb-2 text-sm font-semibold text-fog">Order</legend>
              {rounds.map(({ round, shows }, index) => (
                <label
                  key={round}
                  className="flex min-h-12 items-center gap-3 rounded-lg border border-line bg-ink px-3 py-2"
                >
                  <span className="min-w-0 flex-1">
                    <span className="block font-semibold">Round {round}</span>
                    {shows.map(({ player, reason }) => (
                      <span key={`${player} ${reason}`} className="block truncate text-sm text-fog">
                        <bdi>{player}</bdi>, {reason}
                      </span>
                    ))}
                  </span>
                  <span className="sr-only">Place</span>
                  <select name={`place-${round}`} defaultValue={index + 1} className="field w-20 flex-none">
                    {rounds.map((other, place) => (
                      <option key={other.round} value={place + 1}>
                        {place + 1}
                      </option>
                    ))}
                  </select>
                </label>
              ))}
            </fieldset>
          ) : null}
          <div className="grid gap-4 sm:grid-cols-2">
            <Seconds name="leadIn" label="Lead-in, seconds more before the first kill" value={leadIn} {...lead} />
            <Seconds name="leadOut" label="Lead-out, seconds more after the last kill" value={leadOut} {...tail} />
          </div>
          <Problem failure={failure} of="version" />
          <button
            type="submit"
            name="intent"
            value="version"
            disabled={isBusy}
            className="btn btn-primary justify-self-start"
          >
            Render the new version
          </button>
        </Form>
      ) : (
        <p className="text-fog">
          The replay of this match is no longer kept, so no new version can be made of this clip.
        </p>
      )}
    </div>
  );
}

function Seconds(field: { name: string; label: string; value: number; min: number; max: number }) {
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
