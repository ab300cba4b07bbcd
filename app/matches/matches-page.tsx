import { Link, useNavigate, useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { MatchList } from "../../contract/schemas/matches.ts";
import type { MatchStates } from "../routes/matches.status.tsx";
import { ConnectionNotice } from "../shell/asking/connection-notice.tsx";
import { usePolling } from "../shell/asking/use-polling.ts";
import { useReload } from "../shell/asking/use-reload.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { latePart, nothing } from "../shell/pieces/late-part.tsx";
import { StepLink } from "../shell/pieces/step-link.tsx";
import { productName } from "../shell/product-name.ts";
import { useRootData } from "../shell/root-data.ts";
import { SignInButton } from "../shell/session/sign-in-button.tsx";
import { ImportPanel, SampleOffer } from "./import-panel.tsx";
import type { ImportResult } from "./import-result.ts";
import { cardKey, inKnownOrder } from "./kept-order.ts";
import { MatchCard } from "./match-card.tsx";
import type { MatchPaging } from "./match-paging.ts";
import type { MatchSummary } from "./match-summary.ts";
import { isSettled } from "./shared/is-settled.ts";
import {
  completedFromStorage,
  importPollPlan,
  isImported,
  type PollPlan,
  recentPollPlan,
  recordCompleted,
  stateKey,
} from "./shared/match-polling.ts";
import { uploadProblemsOf } from "./upload-outcome.ts";

const PauseRefreshing = latePart(() => import("../shell/on-demand/pause-refreshing.tsx"), nothing);

const storageKey = "completedMatches";

interface MatchesPageProps {
  matches: MatchSummary[];
  count: number;
  provider: MatchList["provider"];
  sampleAvailable: boolean;
  paging: MatchPaging;
  isRunning: boolean;
  formResult: ImportResult | null;
  /** How many demos were uploaded by a form that was sent without JavaScript. */
  uploaded: number;
}

export function MatchesPage({
  matches: listed,
  count,
  provider,
  sampleAvailable,
  paging,
  isRunning,
  formResult,
  uploaded,
}: MatchesPageProps) {
  const navigate = useNavigate();
  const reload = useReload();
  const isSignedIn = useRootData().user !== null;
  const [query] = useSearchParams();
  const matches = useKnownOrder(listed, paging.page);
  const { states, isLost } = useMatchStates(matches);
  const { page } = paging;
  const reloadFirstPage = useCallback(() => {
    if (page > 1) navigate("/matches", { replace: true });
  }, [page, navigate]);
  if (!isSignedIn) return <Welcome />;
  return (
    <>
      <header className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <h1 className="title-1">My Matches</h1>
        <p className="pb-1 text-lg text-fog tabular-nums">{count} matches</p>
        {/* A line of their own on tablets, where all of it fits or not by the width of some letters. */}
        <div className="flex w-full flex-wrap gap-x-6 gap-y-3 max-sm:gap-x-2 lg:ml-auto lg:w-auto">
          <Link to="/highlights" className="btn btn-quiet whitespace-nowrap max-sm:flex-auto max-sm:px-2">
            <Icon name="target" />
            All highlights
          </Link>
          <a href="#import" className="btn btn-quiet whitespace-nowrap max-sm:flex-auto max-sm:px-2">
            <Icon name="link" />
            Import a demo
          </a>
          {provider ? (
            <a
              href={provider.url}
              target="_blank"
              rel="noreferrer"
              className="chip min-h-11 px-4 text-sm hover:text-chalk"
            >
              Powered by <strong className="text-chalk">{provider.name}</strong>
              <Icon name="external" className="size-4" />
            </a>
          ) : null}
        </div>
      </header>
      {provider?.problem ? <p className="mt-3 text-sm text-tee">{provider.problem}</p> : null}
      {isRunning ? (
        <noscript>
          <PauseRefreshing toDo="choose a demo" />
        </noscript>
      ) : null}

      {matches.length > 0 ? (
        <ul
          className={`mt-8 grid gap-5 sm:grid-cols-2 lg:auto-rows-fr lg:grid-cols-3 ${
            matches.length <= 3 ? "lg:grid-rows-1" : "lg:grid-rows-2"
          }`}
        >
          {matches.map((match) => (
            <li key={cardKey(match)} className="grid min-w-0 animate-rise grid-cols-1">
              <MatchCard
                match={match}
                state={states[stateKey(match)] ?? match.processing}
                formResult={formResult}
                onDeleted={() => {
                  forgetCompleted(match.match_id);
                  if (paging.page > 1) navigate("/matches");
                  else reload();
                }}
              />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyMatches sampleAvailable={sampleAvailable} formResult={formResult} />
      )}
      {paging.showArrows ? (
        <nav aria-label="Pages of matches" className="mt-6 flex items-center justify-center gap-4">
          <StepLink direction="left" label="Previous page" to={pageAddress(paging.previous)} />
          <p className="figure text-lg text-fog">
            {paging.page} / {paging.lastPage}
          </p>
          <StepLink direction="right" label="Next page" to={pageAddress(paging.next)} />
        </nav>
      ) : null}

      <div id="import" className="mt-10 scroll-mt-20">
        <ImportPanel
          formResult={formResult}
          uploaded={uploaded}
          uploadProblems={uploadProblemsOf(query)}
          onImported={reloadFirstPage}
        />
      </div>
      <ConnectionNotice isLost={isLost} />
    </>
  );
}

const pageAddress = (page: number | null) => (page === null ? null : page === 1 ? "/matches" : `/matches?page=${page}`);

/** Keeps the order of cards that the reader knows, until another page is opened. */
function useKnownOrder(listed: MatchSummary[], page: number): MatchSummary[] {
  const known = useRef<{ page: number; keys: string[] }>({ page, keys: [] });
  const matches = useMemo(
    () => inKnownOrder(listed, known.current.page === page ? known.current.keys : []),
    [listed, page],
  );
  useEffect(() => {
    known.current = { page, keys: matches.map(cardKey) };
  }, [matches, page]);
  return matches;
}

/** The loader redirects signed-out visitors; this is for those whose session could not be checked when the page was opened. */
function Welcome() {
  return (
    <section className="mx-auto grid max-w-xl justify-items-center gap-5 py-16 text-center">
      <h1 className="title-1">Welcome to {productName}</h1>
      <p className="text-lg text-fog">
        Please sign in with your Steam account to view your CS2 matches and create highlights.
      </p>
      <SignInButton />
    </section>
  );
}

function EmptyMatches({ sampleAvailable, formResult }: Pick<MatchesPageProps, "sampleAvailable" | "formResult">) {
  return (
    <div className="mt-8 grid justify-items-center gap-6 rounded-2xl border border-dashed border-line-2 px-6 py-14 text-center">
      <Icon name="matches" className="size-12 text-line-2" />
      <p className="max-w-md text-lg text-fog">No matches available. Import recent matches or upload demos directly.</p>
      {sampleAvailable ? (
        <SampleOffer formResult={formResult}>
          <p className="text-sm text-haze">No demo at hand? Try eight rounds of a real match.</p>
        </SampleOffer>
      ) : null}
    </div>
  );
}

/**
 * Polls the states of listed matches. The list is reloaded when an import ends, and when a recent match turns out to be imported already.
 */
function useMatchStates(matches: MatchSummary[]): { states: MatchStates["states"]; isLost: boolean } {
  const reload = useReload();
  const [polled, setPolled] = useState<{ of: MatchSummary[]; states: MatchStates["states"] }>({
    of: matches,
    states: {},
  });
  const [plan, setPlan] = useState<PollPlan | null>(null);
  const recentPlan = useMemo(() => recentPollPlan(matches), [matches]);
  // Data that is loaded later is newer than what was polled before.
  const states = polled.of === matches ? polled.states : {};

  useEffect(() => {
    const completed = recordCompleted(completedFromStorage(readStorage()), matches);
    writeStorage(completed);
    setPlan(importPollPlan(matches, completed, Date.now()));
  }, [matches]);

  const isLost = usePolling<MatchStates>(plan?.url ?? null, plan?.everyMs ?? 0, (answer) => {
    const hasEnded = matches.some((match) => {
      const state = answer.states[match.match_id];
      return state && isSettled(state) && !isSettled(states[match.match_id] ?? match.processing);
    });
    setPolled({ of: matches, states: { ...states, ...answer.states } });
    if (hasEnded) reload();
  });
  const isRecentLost = usePolling<MatchStates>(recentPlan?.url ?? null, recentPlan?.everyMs ?? 0, (answer) => {
    if (Object.values(answer.states).some(isImported)) reload();
  });
  return { states, isLost: isLost || isRecentLost };
}

/** Storage may be forbidden by the browser's settings; then nothing is recorded. */
function readStorage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function writeStorage(ids: string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(ids));
  } catch {
    // Forbidden or full.
  }
}

function forgetCompleted(matchId: string): void {
  writeStorage(completedFromStorage(readStorage()).filter((id) => id !== matchId));
}
