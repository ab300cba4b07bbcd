import { Link, useLocation, useSearchParams } from "@remix-run/react";
import { type MouseEvent, useEffect, useMemo, useState } from "react";
import type { MatchRounds } from "../../contract/schemas/match-rounds.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { useSessionUser } from "../shell/session/use-session-user.ts";
import { createAddressWriter } from "./address-writer.ts";
import { type MarkedMoment, type MarkFailure, MarkMoment } from "./mark-moment.tsx";
import {
  leadOf,
  markedFrom,
  markedTo,
  momentOfQuery,
  nextPlayable,
  queryOfMoment,
  type ReplayHighlight,
  type ReplayMoment,
  teamScores,
} from "./replay-plan.ts";
import { RoundBar } from "./round-bar.tsx";
import { RoundDetails } from "./round-details.tsx";
import { RoundPlace } from "./round-place.tsx";

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
export function ReplayPage({
  matchPath,
  matchId,
  mapName,
  picturesUrl,
  rounds: match,
  highlights,
  failure,
}: ReplayPageProps) {
  const { rounds, players, tick_rate: tickRate } = match;
  const [query] = useSearchParams();
  const [moment, setMoment] = useState<ReplayMoment>(() => momentOfQuery(query, rounds, players.length));
  const round = rounds.find(({ number }) => number === moment.round) ?? rounds[0];
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
      <RoundBar
        rounds={rounds}
        shown={round}
        tickRate={tickRate}
        highlights={highlights}
        player={moment.player}
        goInPlace={goInPlace}
      />
      <RoundPlace
        matchId={matchId}
        picturesUrl={picturesUrl}
        viewer={{
          matchPath,
          round,
          player,
          tickRate,
          mapName,
          moment,
          highlights: flagged,
          onSeconds: (seconds) => write({ round: round.number, seconds, player }),
          onPlayer: (seconds, chosen) => go({ round: round.number, seconds, player: chosen }),
          players: following,
          onMark: { from: markInViewer(markedFrom), to: markInViewer(markedTo) },
          marked: typed.round === String(round.number) ? mark : null,
          onEnd: after ? () => go({ round: after.number, seconds: 0, player: moment.player }) : undefined,
        }}
      />
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
