import { useState } from "react";
import type { MatchRound } from "../../contract/api.ts";
import { frameOfTick, nameOf, type ReplayHighlight, roundSpec, tickOfFrame } from "./replay-plan.ts";
import { groundOf, trackOf } from "./viewer/preview-parts.ts";
import { ReplayViewer } from "./viewer/replay-viewer.tsx";
import type { StageSource } from "./viewer/use-stage.ts";

export interface RoundViewerProps {
  matchPath: string;
  picturesUrl: string;
  mapName: string;
  round: MatchRound;
  tickRate: number;
  /** Who is followed. */
  player: number;
  players: { name: string; team: number; index: number }[];
  highlights: ReplayHighlight[];
  /** Since the round went live: where it begins. */
  seconds: number;
  /** Told once a second, for the address. */
  onSeconds: (seconds: number) => void;
  onPlayer: (seconds: number, player: number) => void;
  onEnd?: (() => void) | undefined;
}

/** One round in the viewer that previews have, seen with any player of it. */
export function RoundViewer(props: RoundViewerProps) {
  const { round, tickRate, player, players, highlights, seconds, onSeconds, onPlayer, onEnd } = props;
  const [attempt, setAttempt] = useState(() => ({ count: 0, source: sourceOf(props) }));
  const [shown, setShown] = useState(seconds);
  const [isCopied, setCopied] = useState(false);
  const startFrame = frameOfTick(round, round.start_tick + seconds * tickRate, tickRate);
  const secondsAt = (frame: number) => Math.max(0, (tickOfFrame(round, frame, tickRate) - round.start_tick) / tickRate);
  const flags = highlights.map((highlight) => ({
    ...{ id: highlight.id, text: nameOf(highlight) },
    frame: Math.max(0, frameOfTick(round, highlight.tick - 2 * tickRate, tickRate)),
  }));
  return (
    <ReplayViewer
      key={attempt.count}
      title={`Round ${round.number}, with ${players.find(({ index }) => index === player)?.name ?? "a player"}`}
      source={attempt.source}
      onAgain={() => setAttempt(({ count }) => ({ count: count + 1, source: sourceOf(props) }))}
      flags={flags}
      hopes={{
        startFrame,
        onEnd,
        onFrame(frame) {
          const now = secondsAt(frame);
          if (Math.abs(now - shown) < 1) return;
          setShown(now);
          setCopied(false);
          onSeconds(now);
        },
      }}
    >
      {(seek) => (
        <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-3">
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
          <button
            type="button"
            className="btn btn-quiet"
            onClick={() =>
              void navigator.clipboard?.writeText(location.href).then(
                () => setCopied(true),
                () => {},
              )
            }
          >
            {isCopied ? "Copied" : "Copy link to this moment"}
          </button>
          {flags.map(({ id, frame, text }) => (
            <button key={id} type="button" className="chip min-h-11" onClick={() => seek(frame)}>
              <span aria-hidden="true" className="text-flare">
                ⚑
              </span>
              <bdi>{text}</bdi>
            </button>
          ))}
        </div>
      )}
    </ReplayViewer>
  );
}

function sourceOf({ matchPath, picturesUrl, round, player, tickRate, mapName }: RoundViewerProps): StageSource {
  const source = { matchPath, picturesUrl };
  const spec = Promise.resolve(roundSpec(round, player, tickRate, `${mapName}, round ${round.number}`));
  const track = trackOf(source, { round: round.number });
  track.catch(() => {});
  return { spec, track, ...groundOf(source) };
}
