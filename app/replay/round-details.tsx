import { type MouseEvent, useEffect, useRef, useState } from "react";
import type { MatchRound, MatchRounds } from "../../contract/schemas/match-rounds.ts";
import { positionText } from "../shell/clock-text.ts";
import { queryOfMoment, type ReplayMoment, type TeamScore } from "./replay-plan.ts";

const sideText = { CT: "text-ct", T: "text-tee" } as const;

interface RoundDetailsProps {
  round: MatchRound;
  score: TeamScore | undefined;
  players: MatchRounds["players"];
  tickRate: number;
  isOpen: boolean;
  goInPlace: (to: ReplayMoment) => (event: MouseEvent) => void;
}

/** The kills of a round, each a link to its moment. */
export function RoundDetails({ round, score, players, tickRate, isOpen, goInPlace }: RoundDetailsProps) {
  const { number, winner, kills, bomb, start_tick: start } = round;
  const events = [
    ...kills.map((kill) => ({ ...kill, kind: "kill" as const })),
    ...bomb.map((event) => ({ ...event, attacker: null })),
  ].sort((a, b) => a.tick - b.tick);
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpenAtFirst] = useState(isOpen);
  const wasOpen = useRef(isOpen);
  // The next round may begin while somebody reads this one: details that have the focus stay open.
  useEffect(() => {
    const { current: list } = details;
    if (!list || wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    if (isOpen || !list.contains(document.activeElement)) list.open = isOpen;
  }, [isOpen]);
  return (
    <details ref={details} open={isOpenAtFirst} className="panel px-4 py-2">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-4 font-semibold">
        <span>Round {number}</span>
        {score ? (
          <span className="text-sm text-fog">
            Team 1 <span className="figure mx-1 text-base text-chalk">{score.scores.join(" – ")}</span> Team 2
          </span>
        ) : null}
        {winner ? <span className={`text-sm ${sideText[winner]}`}>{winner} won</span> : null}
        <span className="text-sm text-fog">
          {kills.length} {kills.length === 1 ? "kill" : "kills"}
        </span>
      </summary>
      <ol className="grid grid-cols-1 gap-0.5 pb-2">
        {events.map((event, i) => {
          const to = {
            round: number,
            seconds: Math.max(0, (event.tick - start) / tickRate - 2),
            player: event.attacker,
          };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: what happened in a round never changes order.
            <li key={i}>
              <a
                href={queryOfMoment(to)}
                onClick={goInPlace(to)}
                className="flex min-h-11 items-baseline gap-x-2.5 rounded-md px-2 py-2.5 text-sm no-underline hover:bg-deck-2"
              >
                <span className="figure w-9 flex-none text-fog">{positionText((event.tick - start) / tickRate)}</span>
                {/* Wraps below the names, not below the time. */}
                <span className="flex min-w-0 flex-1 flex-wrap gap-x-2.5">
                  {event.kind === "kill" ? (
                    <>
                      <bdi
                        className={`max-w-full truncate font-semibold ${event.victim_side === "CT" ? "text-tee" : "text-ct"}`}
                      >
                        {event.attacker === null ? "The world" : players[event.attacker]?.name}
                      </bdi>
                      <span className="text-fog">
                        {event.weapon_name}
                        {event.headshot ? ", headshot" : ""}
                      </span>
                      <bdi className={`max-w-full truncate ${event.victim_side ? sideText[event.victim_side] : ""}`}>
                        {players[event.victim]?.name}
                      </bdi>
                    </>
                  ) : (
                    <span className="font-semibold text-tee">Bomb {event.kind}</span>
                  )}
                </span>
              </a>
            </li>
          );
        })}
      </ol>
    </details>
  );
}
