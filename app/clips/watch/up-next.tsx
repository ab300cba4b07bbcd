import { Link } from "@remix-run/react";
import type { RefObject } from "react";
import { Icon } from "../../shell/pieces/icon.tsx";
import { ClipName } from "../shared/clip-name.tsx";
import { type SmallClip, Thumbnail } from "./related-clips.tsx";

interface UpNextProps {
  next: SmallClip;
  video: RefObject<HTMLVideoElement>;
  onClose: () => void;
}

const small = "max-sm:px-3 max-sm:text-sm max-sm:[&>svg]:hidden";

/** Over a video that has ended: the next clip is offered and begins only when it is asked for. Its controls stay free. */
export default function UpNext({ next, video, onClose }: UpNextProps) {
  return (
    <div className="absolute inset-x-0 top-0 bottom-16 grid place-items-center overflow-y-auto rounded-t-2xl bg-void/85 p-4 max-sm:rounded-none max-sm:p-2">
      <div className="grid max-w-md grid-cols-1 justify-items-center gap-3 text-center max-sm:gap-1.5">
        <p className="eyebrow">Up next</p>
        <Thumbnail clip={next} className="w-56 overflow-hidden rounded-lg max-sm:hidden" />
        <p className="line-clamp-2 font-semibold max-sm:line-clamp-1">
          <ClipName name={next.display_name} />
        </p>
        {/* On phones in one line: a second one would lie below the video's own controls. */}
        <div className="flex justify-center gap-2">
          <Link to={`/clips/${next.id}`} className={`btn btn-primary ${small}`}>
            <Icon name="play" />
            Watch the next one
          </Link>
          <button
            type="button"
            className={`btn btn-quiet ${small}`}
            onClick={() => {
              onClose();
              // This button goes; its keys go on being those of the player.
              video.current?.focus({ preventScroll: true });
              void video.current?.play().catch(() => {});
            }}
          >
            <Icon name="retry" />
            Watch again
          </button>
        </div>
      </div>
    </div>
  );
}
