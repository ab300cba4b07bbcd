import { Form, Link } from "@remix-run/react";
import type { FailurePage, OperatorFailure } from "../../contract/schemas/operator.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { LocalTime } from "../shell/pieces/local-time.tsx";
import { PlayerName } from "../shell/pieces/player-name.tsx";
import { StepLink } from "../shell/pieces/step-link.tsx";
import { countText } from "./figures.ts";
import { queueLabel } from "./labels.ts";

interface FailuresProps extends FailurePage {
  page: number;
  pages: number;
}

const standings: Record<OperatorFailure["standing"], string> = {
  failed: "",
  done: "Done since",
  under_way: "Under way again",
  gone: "Deleted since",
};

/** What failed for good, by cause and one by one, each with the way to try it again. */
export function Failures({ count, causes, results, page, pages }: FailuresProps) {
  if (count === 0) return <p className="text-fog">Nothing has failed within the last 30 days.</p>;
  return (
    <>
      <h3 className="eyebrow">Most common causes</h3>
      <ul className="mt-3 grid gap-2">
        {causes.map(({ queue, cause, count: ofCause }) => (
          <li
            key={`${queue} ${cause}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-ink/60 p-3 text-sm"
          >
            <span className="figure min-w-8 text-xl">{countText(ofCause)}</span>
            <span className="min-w-0 flex-1 basis-56">
              <span className="block text-haze">{queueLabel(queue)}</span>
              <code className="break-words">{cause}</code>
            </span>
            <Form method="post" preventScrollReset className="max-sm:w-full">
              <input type="hidden" name="intent" value="retry-cause" />
              <input type="hidden" name="queue" value={queue} />
              <input type="hidden" name="cause" value={cause} />
              <button type="submit" className="btn btn-quiet max-sm:w-full">
                <Icon name="retry" className="size-4" />
                Retry all
              </button>
            </Form>
          </li>
        ))}
      </ul>
      <h3 className="eyebrow mt-7">Newest first</h3>
      <ul className="mt-3 divide-y divide-line/70 border-y border-line/70">
        {results.map((failure) => (
          <Failure key={failure.id} {...failure} />
        ))}
      </ul>
      {pages > 1 ? (
        <nav aria-label="Pages of failures" className="mt-4 flex items-center justify-center gap-4">
          <StepLink direction="left" label="Previous page" to={page > 1 ? `/operator?page=${page - 1}` : null} />
          <span className="figure text-lg text-fog">
            {page} / {pages}
          </span>
          <StepLink direction="right" label="Next page" to={page < pages ? `/operator?page=${page + 1}` : null} />
        </nav>
      ) : null}
    </>
  );
}

function Failure(failure: OperatorFailure) {
  const {
    id,
    queue,
    subject,
    href,
    player,
    sentence,
    cause,
    attempts,
    trace_id: trace,
    failed_at: at,
    standing,
  } = failure;
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-3 py-4 text-sm">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="chip">{queueLabel(queue)}</span>
          {href ? (
            <Link to={href} className="link inline-flex min-h-6 items-center font-semibold break-all">
              {subject}
            </Link>
          ) : (
            <span className="font-semibold break-all">{subject}</span>
          )}
          {player ? <PlayerName steamId={player.steam_id} name={player.name} className="text-fog" /> : null}
        </p>
        {sentence ? <p className="mt-2">“{sentence}”</p> : null}
        <p className="mt-1.5 text-fog">
          <code className="break-words">{cause}</code>
        </p>
        <p className="mt-1.5 text-haze">
          <LocalTime iso={at} />, {attempts === 1 ? "1 try" : `${attempts} tries`}
          {trace ? (
            <>
              , trace <code className="break-all">{trace}</code>
            </>
          ) : null}
        </p>
      </div>
      {standing === "failed" ? (
        <Form method="post" preventScrollReset className="max-sm:w-full">
          <input type="hidden" name="intent" value="retry" />
          <input type="hidden" name="id" value={id} />
          <button type="submit" aria-label={`Retry: ${subject}`} className="btn btn-quiet max-sm:w-full">
            <Icon name="retry" className="size-4" />
            Retry
          </button>
        </Form>
      ) : (
        <span className="chip">{standings[standing]}</span>
      )}
    </li>
  );
}
