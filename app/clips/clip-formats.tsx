import { Link } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { clipFormatLabels, clipFormatNames } from "../../contract/clip-formats.ts";
import type { ClipVideo } from "../../contract/schemas/clips.ts";
import { isRenderActive, renderStatusLabel } from "../../contract/statuses.ts";
import { useSend } from "../shell/asking/use-send.ts";
import { giveFocus } from "../shell/heir-of-focus.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { ProgressBar } from "../shell/pieces/progress-bar.tsx";
import { withWaysOut } from "../shell/pieces/with-ways-out.tsx";
import type { ClipWithVideos } from "./clip-summary.ts";

interface ClipFormatsProps {
  publicId: string;
  formats: ClipVideo[];
  shown: ClipVideo | undefined;
  canAdd: boolean;
  /** Why the one that was asked for without JavaScript was not added. */
  refusal: string | null;
  onAdded: (clip: ClipWithVideos) => void;
}

/** The formats of a finished clip: which one is played, and for its owner those that are being rendered or can be added. */
export default function ClipFormats({ publicId, formats, shown, canAdd, refusal, onAdded }: ClipFormatsProps) {
  const ready = formats.filter((video) => video.video_url);
  const unfinished = formats.filter((video) => isRenderActive(video.render_status));
  const failed = formats.filter((video) => video.render_status === "failed");
  const missing = clipFormatNames.filter(
    (name) => !formats.some((video) => video.format === name && video.render_status !== "failed"),
  );
  const offersMore = canAdd && missing.length > 0;
  return (
    <section aria-labelledby="formats" className="panel mt-5 grid gap-4 p-4">
      <h2 id="formats" className="text-lg">
        Formats
      </h2>
      <nav aria-label="Formats" className="flex flex-wrap gap-2">
        {ready.map(({ format }, index) => (
          <Link
            key={format}
            to={index === 0 ? `/clips/${publicId}` : `/clips/${publicId}?format=${format}`}
            replace
            preventScrollReset
            aria-current={format === shown?.format ? "true" : undefined}
            className="filter aria-[current]:border-ct/60 aria-[current]:bg-ct/8 aria-[current]:text-chalk"
          >
            {clipFormatLabels[format]}
          </Link>
        ))}
      </nav>
      {unfinished.map((video) => (
        <div key={video.format} role="status" className="grid gap-2 text-sm">
          <p>
            <span className="font-semibold">{clipFormatLabels[video.format]}</span>
            <span className="text-fog"> · {renderStatusLabel(video.render_status, video.queue_position)}</span>
            {video.render_status === "processing" ? (
              // The bar says it to screen readers, which would be told of every change here.
              <span aria-hidden="true" className="text-fog tabular-nums">
                {` · ${Math.round(video.progress * 100)} %`}
              </span>
            ) : null}
          </p>
          {video.render_status === "processing" ? (
            <ProgressBar value={video.progress} label={`Rendering ${clipFormatLabels[video.format]}`} />
          ) : null}
          {video.render_error ? <p className="text-fog">{video.render_error}</p> : null}
        </div>
      ))}
      {failed.map((video) => (
        <p key={video.format} className="text-sm">
          <span className="font-semibold">{clipFormatLabels[video.format]}</span>
          <span className="text-loss"> · {video.render_error ?? "Failed"}</span>
        </p>
      ))}
      {refusal ? (
        <p role="alert" className="text-sm font-semibold text-loss">
          {withWaysOut(refusal)}
        </p>
      ) : null}
      {offersMore ? <AddFormat publicId={publicId} missing={missing} onAdded={onAdded} /> : null}
    </section>
  );
}

interface AddFormatProps {
  publicId: string;
  missing: ClipVideo["format"][];
  onAdded: (clip: ClipWithVideos) => void;
}

function AddFormat({ publicId, missing, onAdded }: AddFormatProps) {
  const { isSending, problem, send } = useSend();
  const [refusal, setRefusal] = useState<string | null>(null);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    const pressed = (event.nativeEvent as SubmitEvent).submitter;
    const heading = (event.currentTarget as HTMLElement).closest("section")?.querySelector("h2");
    setRefusal(null);
    const answer = await send(`/clips/${publicId}/format`, {
      format: pressed instanceof HTMLButtonElement ? pressed.value : "",
    });
    const body = (await answer?.json().catch(() => null)) as { clip?: ClipWithVideos; error?: string } | null;
    if (body?.clip) {
      // What is added is offered no more.
      if (heading && pressed && pressed === document.activeElement) giveFocus(heading);
      onAdded(body.clip);
    } else setRefusal(body?.error ?? null);
  }

  return (
    <form method="post" action={`/clips/${publicId}`} onSubmit={onSubmit} className="flex flex-wrap items-center gap-2">
      <p className="mr-1 text-sm font-semibold text-fog">Add format</p>
      {missing.map((format) => (
        <button
          key={format}
          type="submit"
          name="format"
          value={format}
          aria-label={`Add format ${clipFormatLabels[format]}`}
          aria-disabled={isSending || undefined}
          className="btn btn-quiet"
        >
          <Icon name="clips" />
          {clipFormatLabels[format]}
        </button>
      ))}
      <p role="alert" className="w-full text-sm font-semibold text-loss empty:hidden">
        {withWaysOut(problem ?? refusal)}
      </p>
    </form>
  );
}
