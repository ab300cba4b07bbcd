import { Form, Link, useNavigation } from "@remix-run/react";
import { customMoments } from "../../contract/custom-moments.ts";
import type { MatchRounds } from "../../contract/schemas/match-rounds.ts";
import { positionText } from "../shell/clock-text.ts";
import { SubmitButton } from "../shell/pieces/submit-button.tsx";
import { nameOf, queryOfMoment, type ReplayHighlight } from "./replay-plan.ts";

/** What the form says: texts, as they are typed. */
export interface MarkedMoment {
  round: string;
  player: string;
  from: string;
  to: string;
  name: string;
}

export interface MarkFailure {
  problem: string;
  fields: MarkedMoment;
}

interface MarkMomentProps {
  match: MatchRounds;
  matchPath: string;
  moment: MarkedMoment;
  onChange: (moment: MarkedMoment) => void;
  /** What was just done, or why it was not. */
  failure: MarkFailure | null;
  isMarked: boolean;
  highlights: readonly ReplayHighlight[];
}

const { min, max } = customMoments.seconds;

/** The form that marks a moment by hand, which the viewer's buttons fill in, and what is marked already. */
export function MarkMoment({ match, matchPath, moment, onChange, failure, isMarked, highlights }: MarkMomentProps) {
  const { rounds, players, removable_highlights: removable } = match;
  const isBusy = useNavigation().state !== "idle";
  const marked = highlights.filter(({ highlight_type: type }) => type === "custom");
  const field = (name: keyof MarkedMoment) => ({
    name,
    value: moment[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...moment, [name]: event.target.value }),
  });
  const markable = players.flatMap(({ name, steam_id, team }, index) =>
    team === null || steam_id === null ? [] : [{ name, index: String(index) }],
  );
  // Of a bot nothing can be marked: no one of the players is chosen in its stead.
  const isPlayer = markable.some(({ index }) => index === moment.player);
  const seconds = Number(moment.to) - Number(moment.from);
  const length = moment.from !== "" && moment.to !== "" && seconds > 0 ? `${Math.round(seconds * 10) / 10} s` : null;
  return (
    <section aria-labelledby="mark-moment" className="panel mt-6 p-4 sm:p-5">
      <h2 id="mark-moment" className="title-2">
        Mark a moment
      </h2>
      <p className="mt-1 max-w-prose text-sm text-fog">
        Missed by the detection? Mark {min} to {max} seconds of a round with one player, and it can go into clips.
        Everybody who has this match sees it among its highlights.
      </p>
      <Form
        method="post"
        action={`${matchPath}/replay`}
        preventScrollReset
        data-way-back=""
        className="mt-4 grid gap-4"
      >
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-[7rem_minmax(0,1fr)_7rem_7rem]">
          <label className="grid content-end gap-1.5">
            <span className="text-sm font-semibold text-fog">Round</span>
            <select {...field("round")} className="field">
              {rounds.map(({ number }) => (
                <option key={number} value={number}>
                  {number}
                </option>
              ))}
            </select>
          </label>
          <label className="grid min-w-0 content-end gap-1.5">
            <span className="text-sm font-semibold text-fog">Player</span>
            <select
              {...field("player")}
              value={isPlayer ? moment.player : ""}
              required
              aria-describedby={isPlayer ? undefined : "moments-are-of-players"}
              className="field min-w-0"
            >
              {isPlayer ? null : <option value="">Choose a player</option>}
              {markable.map(({ name, index }) => (
                <option key={index} value={index}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className="grid content-end gap-1.5">
            <span className="text-sm font-semibold text-fog">From second</span>
            <input {...field("from")} {...secondsField} />
          </label>
          <label className="grid content-end gap-1.5">
            <span className="text-sm font-semibold text-fog">To second</span>
            <input {...field("to")} {...secondsField} />
          </label>
        </div>
        {isPlayer ? null : (
          <p id="moments-are-of-players" role="status" className="text-sm font-semibold">
            You are following a bot, and a moment follows a player. Choose one.
          </p>
        )}
        <div className="flex flex-wrap items-end gap-3">
          <label className="grid min-w-0 flex-1 basis-56 gap-1.5">
            <span className="text-sm font-semibold text-fog">Name, if you like</span>
            <input
              {...field("name")}
              id="moment-name"
              maxLength={customMoments.nameCharacters}
              placeholder="Custom Moment"
              className="field"
              autoComplete="off"
            />
          </label>
          <SubmitButton name="intent" value="mark" isSending={isBusy} className="btn btn-primary">
            {length ? `Save ${length}` : "Save the moment"}
          </SubmitButton>
        </div>
        {failure ? (
          <p role="alert" className="text-sm font-semibold text-loss">
            {failure.problem}
          </p>
        ) : isMarked ? (
          <p role="status" className="text-sm font-semibold">
            The moment is marked.{" "}
            <Link to={matchPath} className="link">
              Make a clip of it
            </Link>
          </p>
        ) : null}
      </Form>
      {marked.length > 0 ? (
        <ul aria-label="Marked moments" className="mt-4 grid gap-1 border-t border-line pt-3">
          {marked.map((highlight) => (
            <li key={highlight.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <a
                href={queryOfMoment(momentOf(highlight, match))}
                className="flex min-h-11 min-w-0 flex-1 flex-wrap items-center gap-x-3 rounded-md px-2 text-sm no-underline hover:bg-deck-2"
              >
                <span className="min-w-0 font-semibold wrap-anywhere">
                  <span aria-hidden="true" className="text-flare">
                    ⚑{" "}
                  </span>
                  <bdi>{nameOf(highlight)}</bdi>
                </span>
                <span className="text-fog">
                  Round {highlight.round_number}, {positionText(momentOf(highlight, match).seconds)}
                </span>
              </a>
              {removable.includes(highlight.id) ? (
                <Form
                  method="post"
                  action={`${matchPath}/replay${queryOfMoment(momentOf(highlight, match))}`}
                  preventScrollReset
                >
                  <input type="hidden" name="highlight" value={highlight.id} />
                  <SubmitButton
                    name="intent"
                    value="remove"
                    isSending={isBusy}
                    aria-label={`Remove ${nameOf(highlight)}`}
                    className="btn btn-quiet"
                  >
                    Remove
                  </SubmitButton>
                </Form>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

const secondsField = {
  type: "number",
  min: 0,
  max: 3600,
  step: 0.1,
  required: true,
  inputMode: "decimal",
  className: "field",
} as const;

function momentOf(
  { round_number: number, start_tick: tick, player_steam_id: steamId }: ReplayHighlight,
  { rounds, players, tick_rate: tickRate }: MatchRounds,
) {
  const round = rounds.find((each) => each.number === number);
  // By the account: two players may have one name.
  const player = steamId === null ? -1 : players.findIndex((each) => each.steam_id === steamId);
  return {
    round: number,
    seconds: Math.max(0, (tick - (round?.start_tick ?? tick)) / tickRate),
    player: player < 0 ? null : player,
  };
}
