import { clipFormatLabels } from "../../../contract/clip-formats.ts";
import type { ClipVideo } from "../../../contract/schemas/clips.ts";
import { Icon } from "../../shell/pieces/icon.tsx";
import type { SharedFile } from "./share-panel.tsx";

/** The files of a clip that can be downloaded. */
export function filesOf(clipId: number, ready: readonly ClipVideo[], shareUrl: string | null): SharedFile[] {
  const files = ready.map((file, index) => ({
    label: clipFormatLabels[file.format],
    url: file.video_url ?? "",
    name: `clutchcast-${clipId}${index === 0 ? "" : `-${file.format}`}.mp4`,
  }));
  if (!shareUrl) return files;
  return [...files, { label: "for chat (≤ 9.5 MB)", url: shareUrl, name: `clutchcast-${clipId}-chat.mp4` }];
}

/** One button, however many files there are. */
export function Downloads({ files }: { files: readonly SharedFile[] }) {
  return (
    <details className="relative">
      <summary className="btn btn-quiet list-none [&::-webkit-details-marker]:hidden">
        <Icon name="download" />
        Download
        <Icon name="down" className="size-4" />
      </summary>
      <ul className="panel z-20 mt-2 grid min-w-56 p-1.5 shadow-2xl sm:absolute sm:top-full sm:left-0">
        {files.map(({ label, url, name }) => (
          <li key={url}>
            <a
              href={url}
              download={name}
              className="flex min-h-11 items-center rounded-lg px-3 font-semibold hover:bg-white/5"
            >
              <span className="sr-only">Download </span>
              <span className="inline-block first-letter:uppercase">{label}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
