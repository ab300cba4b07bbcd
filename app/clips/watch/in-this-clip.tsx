import { highlightLabel } from "../../../contract/highlight-types.ts";
import type { ClipMark } from "../../../contract/schemas/clips.ts";
import type { Highlight } from "../../../contract/schemas/highlights.ts";
import { positionText } from "../../shell/clock-text.ts";
import { Icon } from "../../shell/pieces/icon.tsx";
import { PlayerName } from "../../shell/pieces/player-name.tsx";

export type ShownHighlight = Pick<
  Highlight,
  "id" | "highlight_type" | "display_name" | "player_name" | "player_steam_id" | "round_number" | "reason"
>;

interface InThisClipProps {
  highlights: readonly ShownHighlight[];
  marks: readonly ClipMark[];
  /** Of the page that begins at a second. */
  addressAt: (seconds: number) => string;
  onJump: (seconds: number) => void;
}

/** What the clip shows, each with its place in the video: links that work without JavaScript, too. */
export function InThisClip({ highlights, marks, addressAt, onJump }: InThisClipProps) {
  const jump = (mark: ClipMark) => ({
    href: addressAt(mark.seconds),
    onClick: (event: { preventDefault(): void }) => {
      event.preventDefault();
      onJump(mark.seconds);
    },
  });
  return (
    <section aria-labelledby="in-this-clip" className="panel p-4">
      <h2 id="in-this-clip" className="text-xl">
        In this clip
      </h2>
      <ol className="mt-3 grid grid-cols-1 gap-4">
        {highlights.map((highlight) => {
          const own = marks.filter((mark) => mark.highlight_id === highlight.id);
          const start = own.find(({ kind }) => kind === "highlight");
          const kills = own.filter(({ kind }) => kind !== "highlight");
          const title = (
            <>
              {highlight.display_name || highlightLabel(highlight.highlight_type)}
              <span className="font-normal text-fog"> · Round {highlight.round_number}</span>
            </>
          );
          return (
            <li key={highlight.id} className="border-l-2 border-flare pl-3 wrap-anywhere">
              {start ? (
                <a {...jump(start)} className="flex min-h-11 items-center gap-2 font-semibold hover:text-flare">
                  <Icon name="play" className="size-4 text-flare" />
                  <span className="min-w-0 flex-1">{title}</span>
                  <span className="figure text-fog">{positionText(start.seconds)}</span>
                </a>
              ) : (
                <p className="font-semibold">{title}</p>
              )}
              <p className="flex text-sm text-fog">
                <PlayerName
                  isTarget
                  steamId={highlight.player_steam_id}
                  name={highlight.player_name}
                  className="link leading-6"
                />
              </p>
              <p className="mt-0.5 text-sm leading-snug text-haze">{highlight.reason}</p>
              {kills.length > 0 ? (
                <ul className="mt-1 grid grid-cols-1">
                  {kills.map((kill) => (
                    <li key={`${kill.seconds} ${kill.label}`}>
                      <a
                        {...jump(kill)}
                        className="flex min-h-11 items-center gap-2 text-sm text-fog hover:text-chalk sm:min-h-9"
                      >
                        <span className="figure w-9 flex-none text-base text-chalk">{positionText(kill.seconds)}</span>
                        <span className="sr-only">{kill.kind === "kill" ? "Kill of " : ""}</span>
                        <bdi className="min-w-0 truncate">{kill.label}</bdi>
                        {kill.detail ? <span className="flex-none text-haze">{kill.detail}</span> : null}
                      </a>
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
