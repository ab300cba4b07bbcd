import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { MatchRound } from "../../contract/schemas/match-rounds.ts";
import { CopyButton } from "../copying/copy-button.tsx";
import { positionText } from "../shell/clock-text.ts";
import {
  frameOfTick,
  type MarkedSpan,
  nameOf,
  queryOfMoment,
  type ReplayHighlight,
  type ReplayMoment,
  roundSpec,
  tickOfFrame,
} from "./replay-plan.ts";
import { createRoundTrack, type RoundTrack } from "./round-track.ts";
import { takesLetters } from "./viewer/keys-of-field.ts";
import { avatarsOf, groundOf, trackOfRound } from "./viewer/preview-parts.ts";
import { ReplayViewer } from "./viewer/replay-viewer.tsx";
import type { StageSource } from "./viewer/stage-player.ts";

export interface RoundViewerProps {
  matchPath: string;
  picturesUrl: string;
  mapName: string;
  round: MatchRound;
  tickRate: number;
  /** The followed player. */
  player: number;
  players: { name: string; team: number; index: number }[];
  highlights: ReplayHighlight[];
  /** Where it begins. A new object seeks there, even if it names the same moment. */
  moment: ReplayMoment;
  /** Called once a second, for the address. */
  onSeconds: (seconds: number) => void;
  onPlayer: (seconds: number, player: number) => void;
  /** Marks where a moment begins and ends, in seconds since the round went live. */
  onMark: { from: (seconds: number) => void; to: (seconds: number) => void };
  /** The span of this round that is being marked. */
  marked: MarkedSpan | null;
  onEnd?: (() => void) | undefined;
}

/** One round in the viewer of previews, following any of its players. */
export function RoundViewer(props: RoundViewerProps) {
  const { matchPath, round, tickRate, player, players, highlights, moment } = props;
  const { onSeconds, onPlayer, onMark, marked, onEnd } = props;
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that is only loaded anew shows the same round.
  const track = useMemo(
    () => createRoundTrack((signal) => trackOfRound(props, round.number, signal)),
    [round.number, attempt],
  );
  useEffect(() => track.giveUp, [track]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another player is seen with the same track.
  const source = useMemo(() => sourceOf(props, track), [track, player]);
  const [played, setPlayed] = useState({ from: moment, seconds: moment.seconds });
  const shown = played.from === moment ? played.seconds : moment.seconds;
  const startFrame = frameOfTick(round, round.start_tick + moment.seconds * tickRate, tickRate);
  const secondsAt = (frame: number) => Math.max(0, (tickOfFrame(round, frame, tickRate) - round.start_tick) / tickRate);
  /** Until it is loaded it is at its first frame, wherever it will begin. */
  const secondsShown = (frame: number) => (frame === 0 ? shown : secondsAt(frame));
  /** For the key handler, which is outside the component that knows the frame. */
  const frameShown = useRef(startFrame);
  const seekTo = useRef((_frame: number) => {});
  // A source that is not loaded yet will begin there by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes there once.
  useEffect(() => seekTo.current(startFrame), [moment]);
  const mark = (edge: "from" | "to") => onMark[edge](secondsShown(frameShown.current));
  const onKeyDown = (event: KeyboardEvent) => {
    const edge = { i: "from", o: "to" }[event.key] as "from" | "to" | undefined;
    if (!edge || event.ctrlKey || event.metaKey || event.altKey || takesLetters(event.target as HTMLInputElement))
      return;
    event.preventDefault();
    mark(edge);
  };
  const flags = highlights.map((highlight) => ({
    id: highlight.id,
    text: nameOf(highlight),
    frame: Math.max(0, frameOfTick(round, highlight.tick - 2 * tickRate, tickRate)),
  }));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that bubble up from the viewer, as buttons beside them do.
    <div onKeyDown={onKeyDown}>
      <ReplayViewer
        title={`Round ${round.number}, with ${players.find(({ index }) => index === player)?.name ?? "a player"}`}
        source={source}
        onAgain={() => setAttempt((count) => count + 1)}
        flags={flags}
        hopes={{
          startFrame,
          onEnd,
          onFrame(frame) {
            const now = secondsAt(frame);
            // The first frame says nothing about the second, see above: only an exact match will do.
            if (frame > 0 ? Math.abs(now - shown) < 1 : now === shown) return;
            setPlayed({ from: moment, seconds: now });
            onSeconds(now);
          },
        }}
      >
        {(seek, frame) => {
          frameShown.current = frame;
          seekTo.current = seek;
          return (
            <div className="viewer-more mt-1 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-3">
              <label className="flex min-h-11 items-center gap-2 text-sm">
                Follow
                <select
                  value={player}
                  onChange={(event) => onPlayer(shown, Number(event.target.value))}
                  className="field min-h-11 w-auto max-w-56 py-1 text-sm"
                >
                  {[0, 1].map((team) => (
                    <optgroup key={team} label={`Team ${team + 1}`}>
                      {players
                        .filter((each) => each.team === team)
                        .map(({ name, index }) => (
                          <option key={index} value={index}>
                            {name}
                          </option>
                        ))}
                    </optgroup>
                  ))}
                </select>
              </label>
              <CopyMoment
                path={`${matchPath}/replay${queryOfMoment({
                  round: round.number,
                  player,
                  seconds: secondsShown(frame),
                })}`}
              />
              <span className="flex flex-wrap items-center gap-2">
                <button type="button" className="btn btn-quiet" aria-keyshortcuts="i" onClick={() => mark("from")}>
                  Mark from here
                </button>
                <button type="button" className="btn btn-quiet" aria-keyshortcuts="o" onClick={() => mark("to")}>
                  To here
                </button>
                <span role="status" className="figure text-sm text-fog">
                  {markedText(marked)}
                </span>
                {marked?.from && marked.to ? (
                  // biome-ignore lint/a11y/useValidAnchor: it leads to a field; the router would take another hash for another page, and the focus.
                  <a
                    href="#moment-name"
                    className="btn btn-primary"
                    onClick={(event) => {
                      event.preventDefault();
                      if (document.fullscreenElement) void document.exitFullscreen();
                      document.getElementById("moment-name")?.focus();
                    }}
                  >
                    Name and save
                  </a>
                ) : null}
              </span>
              {flags.map(({ id, frame, text }) => (
                <button
                  key={id}
                  type="button"
                  className="chip min-h-11 max-w-full whitespace-normal"
                  onClick={() => seek(frame)}
                >
                  <span aria-hidden="true" className="text-flare">
                    ⚑
                  </span>
                  <bdi className="min-w-0 text-left wrap-anywhere">{text}</bdi>
                </button>
              ))}
            </div>
          );
        }}
      </ReplayViewer>
    </div>
  );
}

/** The address of the moment that is shown. */
function CopyMoment({ path }: { path: string }) {
  const field = useRef<HTMLInputElement>(null);
  /** Keeps a selected address from changing while the replay plays on. */
  const [held, setHeld] = useState<string | null>(null);
  const address = held ?? location.origin + path;
  return (
    <>
      <CopyButton text={address} label="Copy link to this moment" field={() => field.current} />
      {/* If the clipboard is refused, copying focuses this field. */}
      <input
        ref={field}
        readOnly
        aria-label="Address of this moment"
        value={address}
        onFocus={(event) => {
          setHeld(address);
          event.target.select();
        }}
        onBlur={() => setHeld(null)}
        className="field sr-only text-sm focus:not-sr-only focus:w-full"
      />
    </>
  );
}

function markedText(marked: MarkedSpan | null): string {
  if (!marked?.from) return "";
  const from = positionText(Number(marked.from));
  return marked.to ? `${from} – ${positionText(Number(marked.to))}` : `From ${from}`;
}

function sourceOf(
  { matchPath, picturesUrl, round, player, players, tickRate, mapName }: RoundViewerProps,
  track: RoundTrack,
): StageSource {
  const source = { matchPath, picturesUrl };
  return {
    spec: Promise.resolve(roundSpec(round, player, tickRate, `${mapName}, round ${round.number}`)),
    track: track.load,
    letters: players.map(({ name }) => name).join(""),
    ...groundOf(source),
    avatars: () => avatarsOf(source),
  };
}
