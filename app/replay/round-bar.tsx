import { type MouseEvent, useEffect, useRef } from "react";
import type { MatchRound } from "../../contract/schemas/match-rounds.ts";
import { isPlayable, queryOfMoment, type ReplayHighlight, type ReplayMoment } from "./replay-plan.ts";

const sideLine = { CT: "border-b-ct", T: "border-b-tee" } as const;

interface RoundBarProps {
  rounds: readonly MatchRound[];
  shown: MatchRound;
  tickRate: number;
  highlights: readonly ReplayHighlight[];
  /** Who is followed; null: whoever leads a round. */
  player: number | null;
  goInPlace: (to: ReplayMoment) => (event: MouseEvent) => void;
}

/** All rounds, each a link with its winner, kills, bomb and highlights. */
export function RoundBar({ rounds, shown, tickRate, highlights, player, goInPlace }: RoundBarProps) {
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the round is what the bar marks.
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>("[aria-current]");
    // `scrollIntoView` would scroll the page as well.
    if (link) bar.current?.scrollTo({ left: link.offsetLeft - (bar.current.clientWidth - link.offsetWidth) / 2 });
  }, [shown]);
  return (
    <nav ref={bar} aria-label="Rounds" className="relative mt-5 overflow-x-auto pb-2">
      <ol className="flex gap-1.5">
        {rounds.map((each) => (
          <li key={each.number}>
            <RoundLink
              round={each}
              isShown={each.number === shown.number}
              flags={highlights.filter(({ round_number: number }) => number === each.number).length}
              isPlayable={isPlayable(each, tickRate)}
              to={queryOfMoment({ round: each.number, seconds: 0, player })}
              onPress={goInPlace({ round: each.number, seconds: 0, player })}
            />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface RoundLinkProps {
  round: MatchRound;
  isShown: boolean;
  isPlayable: boolean;
  flags: number;
  to: string;
  onPress: (event: MouseEvent) => void;
}

function RoundLink({ round, isShown, isPlayable: canPlay, flags, to, onPress }: RoundLinkProps) {
  const { number, winner, kills, bomb } = round;
  const planted = bomb.some(({ kind }) => kind === "planted");
  const defused = bomb.some(({ kind }) => kind === "defused");
  const said = [
    `Round ${number}`,
    winner ? `${winner} won` : "no winner",
    `${kills.length} ${kills.length === 1 ? "kill" : "kills"}`,
    ...(defused ? ["bomb defused"] : planted ? ["bomb planted"] : []),
    ...(flags > 0 ? [`${flags} ${flags === 1 ? "highlight" : "highlights"}`] : []),
  ].join(", ");
  return (
    <a
      href={to}
      onClick={onPress}
      aria-label={said}
      title={said}
      aria-current={isShown ? "true" : undefined}
      className={`grid min-h-16 w-14 content-between justify-items-center rounded-lg border border-b-4 px-1 py-1.5 no-underline ${
        winner ? sideLine[winner] : "border-b-line-2"
      } ${isShown ? "border-flare bg-deck-2" : "border-line bg-ink hover:bg-deck"} ${canPlay ? "" : "opacity-60"}`}
    >
      <span className="figure text-lg leading-none">{number}</span>
      <span aria-hidden="true" className="flex h-2 items-end gap-px forced-color-adjust-none">
        {kills.map((kill, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a round's kills never change order.
          <span key={i} className={`h-2 w-0.5 rounded-full ${kill.victim_side === "CT" ? "bg-tee" : "bg-ct"}`} />
        ))}
      </span>
      <span aria-hidden="true" className="flex h-3 items-center gap-1 text-[0.625rem] leading-none">
        {planted ? <span className={defused ? "text-ct" : "text-tee"}>{defused ? "✓" : "●"}</span> : null}
        {flags > 0 ? <span className="font-bold text-flare">⚑{flags}</span> : null}
      </span>
    </a>
  );
}
