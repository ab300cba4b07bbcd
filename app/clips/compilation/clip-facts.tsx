import { clipFormatLabels } from "../../../contract/clip-formats.ts";
import { lengthText } from "../../shell/clock-text.ts";
import type { ChoosableClip } from "./chosen-clips.ts";

export function Thumbnail({ clip, className }: { clip: ChoosableClip; className: string }) {
  return (
    <span className={`relative aspect-video flex-none overflow-hidden rounded-md bg-void ${className}`}>
      {clip.thumbnailUrl ? (
        <img src={clip.thumbnailUrl} alt="" loading="lazy" className="absolute inset-0 size-full object-cover" />
      ) : null}
    </span>
  );
}

/** Name, map, length and formats. */
export function ClipFacts({ clip }: { clip: ChoosableClip }) {
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
