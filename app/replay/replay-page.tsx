import { Link, useLocation, useSearchParams } from "@remix-run/react";
import { type ComponentType, type CSSProperties, type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import type { MatchRound, MatchRounds } from "../../contract/schemas/match-rounds.ts";
import { positionText } from "../shell/clock-text.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { latePart, nothing } from "../shell/pieces/late-part.tsx";
import { useSessionUser } from "../shell/session/use-session-user.ts";
import { createAddressWriter } from "./address-writer.ts";
import { type MarkedMoment, type MarkFailure, MarkMoment } from "./mark-moment.tsx";
import {
  isPlayable,
  leadOf,
  markedFrom,
  markedTo,
  momentOfQuery,
  nextPlayable,
  queryOfMoment,
  type ReplayHighlight,
  type ReplayMoment,
  type TeamScore,
  teamScores,
} from "./replay-plan.ts";
import type { RoundViewerProps } from "./round-viewer.tsx";

/** For matches whose pictures are still being made. */
const ComingPictures = latePart(() => import("./coming-pictures.tsx"), nothing);

export interface ReplayPageProps {
  /** "/matches/ID" */
  matchPath: string;
  matchId: string;
  mapName: string;
  picturesUrl: string | null;
  rounds: MatchRounds;
  highlights: ReplayHighlight[];
  /** Why a moment could not be marked. */
  failure: MarkFailure | null;
}

/** A whole match: a bar of rounds, each of which plays with any player. Without JavaScript: a list of rounds with their kills. */
export function ReplayPage(props: ReplayPageProps) {
  const { matchPath, matchId, mapName, rounds: match, highlights, failure } = props;
  const { rounds, players, tick_rate: tickRate } = match;
  const [query] = useSearchParams();
  const [picturesUrl, setPicturesUrl] = useState(props.picturesUrl);
  const [moment, setMoment] = useState<ReplayMoment>(() => momentOfQuery(query, rounds, players.length));
  const round = rounds.find(({ number }) => number === moment.round) ?? rounds[0];
  const [Viewer, setViewer] = useState<ComponentType<RoundViewerProps> | null>(null);
  const [isLost, setLost] = useState(false);
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the round is what the bar marks.
  useEffect(() => {
    const shown = bar.current?.querySelector<HTMLElement>("[aria-current]");
    // `scrollIntoView` would scroll the page as well.
    if (shown) bar.current?.scrollTo({ left: shown.offsetLeft - (bar.current.clientWidth - shown.offsetWidth) / 2 });
  }, [round]);
  useEffect(() => {
    if (!picturesUrl) return;
    import("./round-viewer.tsx").then(
      ({ RoundViewer }) => setViewer(() => RoundViewer),
      () => setLost(true),
    );
  }, [picturesUrl]);
  const reader = useSessionUser()?.steam_id ?? null;
  const player = round ? (moment.player ?? leadOf(round, players, reader)) : 0;
  const scores = useMemo(() => teamScores(rounds, players), [rounds, players]);
  const [typed, setTyped] = useState<Partial<MarkedMoment>>(() => failure?.fields ?? typedOf(query, moment));
  const mark = { from: "", to: "", name: "", ...typed };
  /** Marks in the viewer, in the round that it shows; marking in another round starts over. */
  const markInViewer = (change: typeof markedFrom) => (seconds: number) => {
    const shown = { round: String(round?.number), player: String(player) };
    const span = typed.round === shown.round ? mark : { from: "", to: "" };
    setTyped({ ...mark, ...shown, ...change(span, seconds) });
  };
  const marks = query.get("marked");
  // The typed moment is stored: the next one starts empty.
  useEffect(() => {
    if (marks) setTyped({});
  }, [marks]);
  const flagged = useMemo(
    () => highlights.filter(({ round_number: number }) => number === round?.number),
    [highlights, round],
  );
  const { pathname } = useLocation();
  const [address] = useState(() => createAddressWriter(pathname));
  useEffect(() => address.end, [address]);
  const write = (shown: ReplayMoment) => address.write(queryOfMoment(shown));
  const go = (to: ReplayMoment) => {
    setMoment({ ...to });
    write(to);
  };
  /** Plays in place; with a modifier key the link is left to the browser. */
  const goInPlace = (to: ReplayMoment) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
  };
  if (!round) return <p>This recording has no rounds.</p>;
  const following = players.flatMap(({ name, team }, index) => (team === null ? [] : [{ name, team, index }]));
  const after = nextPlayable(rounds, round, tickRate);
  return (
    <>
      <Link to={matchPath} className="btn btn-quiet mb-6">
        <Icon name="back" />
        Back to the match
      </Link>
      <h1 className="title-1">{mapName} Replay</h1>
      <nav ref={bar} aria-label="Rounds" className="relative mt-5 overflow-x-auto pb-2">
        <ol className="flex gap-1.5">
          {rounds.map((each) => (
            <li key={each.number}>
              <RoundLink
                round={each}
                isShown={each.number === round.number}
                flags={highlights.filter(({ round_number: number }) => number === each.number).length}
                isPlayable={isPlayable(each, tickRate)}
                to={queryOfMoment({ round: each.number, seconds: 0, player: moment.player })}
                onPress={goInPlace({ round: each.number, seconds: 0, player: moment.player })}
              />
            </li>
          ))}
        </ol>
      </nav>
      <section aria-label={`Round ${round.number}`} className="mt-3">
        {picturesUrl === null ? (
          <p className="panel p-5 text-fog">
            The map of this match is still being drawn.
            <noscript> Load the page again in a minute.</noscript>
            <ComingPictures matchId={matchId} onCome={setPicturesUrl} />
          </p>
        ) : isPlayable(round, tickRate) && Viewer ? (
          <Viewer
            {...{ matchPath, picturesUrl, round, player, tickRate, mapName }}
            highlights={flagged}
            moment={moment}
            onSeconds={(seconds) => write({ round: round.number, seconds, player })}
            onPlayer={(seconds, chosen) => go({ round: round.number, seconds, player: chosen })}
            players={following}
            onMark={{ from: markInViewer(markedFrom), to: markInViewer(markedTo) }}
            marked={typed.round === String(round.number) ? mark : null}
            onEnd={after ? () => go({ round: after.number, seconds: 0, player: moment.player }) : undefined}
          />
        ) : isPlayable(round, tickRate) && isLost ? (
          <p role="alert" className="panel flex flex-wrap items-center gap-4 p-5 font-semibold">
            The replay could not be loaded. Check your connection and try again.
            {/* A full page load uses the files of a newer server. */}
            <a href={queryOfMoment({ ...moment, round: round.number })} className="btn btn-quiet">
              Try again
            </a>
          </p>
        ) : isPlayable(round, tickRate) ? (
          <>
            {/* As high as the viewer with its controls, so that the content below does not move. */}
            <div
              className="viewer viewer-with-more panel my-2 noscript:hidden"
              style={{ "--ratio": 16 / 9 } as CSSProperties}
            >
              <div className="viewer-picture mx-auto aspect-video w-full" />
              <div className="h-[23.1rem] sm:h-[13.6rem] xl:h-[10.35rem]" />
            </div>
            <noscript>
              <p className="panel p-5 text-fog">
                Playing a round needs JavaScript. What happened in it is listed below.
              </p>
            </noscript>
          </>
        ) : (
          <p className="panel p-5 text-fog">
            This round cannot be played: a replay holds only what is around highlights.
          </p>
        )}
      </section>
      <MarkMoment
        match={match}
        matchPath={matchPath}
        moment={{ round: String(round.number), player: String(player), ...mark }}
        onChange={setTyped}
        failure={failure}
        isMarked={marks !== null && Object.keys(typed).length === 0}
        highlights={highlights}
      />
      <section aria-labelledby="all-rounds" className="mt-8">
        <h2 id="all-rounds" className="title-2">
          All rounds
        </h2>
        <div className="mt-3 grid grid-cols-1 gap-2">
          {rounds.map((each) => (
            <RoundDetails
              key={each.number}
              round={each}
              score={scores.get(each.number)}
              players={players}
              tickRate={tickRate}
              isOpen={each.number === round.number}
              goInPlace={goInPlace}
            />
          ))}
        </div>
      </section>
    </>
  );
}

/** What was typed before a sign-in, from the address to which that led back. */
function typedOf(query: URLSearchParams, { round, player }: ReplayMoment): Partial<MarkedMoment> {
  const [from, to, name] = ["from", "to", "name"].map((field) => query.get(field) ?? "") as [string, string, string];
  if (!from && !to && !name) return {};
  return { round: String(round), ...(player !== null && { player: String(player) }), from, to, name };
}

const sideText = { CT: "text-ct", T: "text-tee" } as const;
const sideLine = { CT: "border-b-ct", T: "border-b-tee" } as const;

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

interface RoundDetailsProps {
  round: MatchRound;
  score: TeamScore | undefined;
  players: MatchRounds["players"];
  tickRate: number;
  isOpen: boolean;
  goInPlace: (to: ReplayMoment) => (event: MouseEvent) => void;
}

/** The kills of a round, each a link to its moment. */
function RoundDetails({ round, score, players, tickRate, isOpen, goInPlace }: RoundDetailsProps) {
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
