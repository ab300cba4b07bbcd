import { useRevalidator } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { bytesText } from "../../contract/bytes-text.ts";
import type { FailurePage, OperatorOverview } from "../../contract/schemas/operator.ts";
import { ConnectionNotice } from "../shell/asking/connection-notice.tsx";
import { usePolling } from "../shell/asking/use-polling.ts";
import { latePart, nothing } from "../shell/pieces/late-part.tsx";
import { LocalTime } from "../shell/pieces/local-time.tsx";
import { Failures } from "./failures.tsx";
import { countText, durationText } from "./figures.ts";
import { queueLabel } from "./labels.ts";
import type { OperatorResult } from "./operator-result.ts";
import { Panel, Standing, type StandingTone } from "./pieces.tsx";
import { Processes } from "./processes.tsx";
import { Storage } from "./storage.tsx";

const PauseRefreshing = latePart(() => import("../shell/on-demand/pause-refreshing.tsx"), nothing);

const askEveryMs = 10_000;

interface OperatorPageProps {
  overview: OperatorOverview;
  failures: FailurePage;
  /** Of the failures, from 1. */
  page: number;
  pages: number;
  result: OperatorResult | null;
}

/** How the installation stands, for whoever runs it. */
export function OperatorPage({ overview, failures, page, pages, result }: OperatorPageProps) {
  const { revalidate } = useRevalidator();
  // The question that a server which is away does not answer is a cheap one, and leaves the page as it is.
  const isLost = usePolling("/session", askEveryMs, revalidate);
  // Remix forgets it with the next look at the data.
  const [told, setTold] = useState(result);
  useEffect(() => {
    if (result) setTold(result);
  }, [result]);
  const { queues, backup, versions, configuration, started_at: startedAt } = overview;
  return (
    <>
      <header>
        <h1 className="title-1">Operator</h1>
        <p className="mt-2 text-lg text-fog">
          Up since <LocalTime iso={startedAt} />
        </p>
        <noscript>
          <PauseRefreshing toDo="read" />
        </noscript>
      </header>
      <div role="status" className="empty:hidden">
        {told ? (
          <p
            className={`mt-6 rounded-xl border px-4 py-3 font-semibold ${told.ok ? "border-win/50 text-win" : "border-flare/60 text-loss"}`}
          >
            {told.sentence}
          </p>
        ) : null}
      </div>
      <Standings overview={overview} failed={failures.count} />
      <div className="mt-8 grid gap-6 lg:grid-cols-2">
        <Panel title="Queue">
          <Queues queues={queues} />
        </Panel>
        <Panel title="Processes">
          <Processes processes={overview.processes} />
        </Panel>
        <Panel title="Failures" isWide>
          <Failures {...failures} page={page} pages={pages} />
        </Panel>
        <Panel title="Storage">
          <Storage {...overview} />
        </Panel>
        <div className="grid content-start gap-6">
          <Panel title="Backup">
            <Backup backup={backup} />
          </Panel>
          <Panel title="Versions">
            <Facts facts={versions} />
          </Panel>
        </div>
        <Panel title="Configuration" isWide>
          <Facts facts={configuration} isWide />
        </Panel>
      </div>
      <ConnectionNotice isLost={isLost} />
    </>
  );
}

/** The four answers that somebody looks for first. */
function Standings({ overview, failed }: { overview: OperatorOverview; failed: number }) {
  const { queues, storage, workers_answer: answer } = overview;
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const running = queues.reduce((sum, queue) => sum + queue.running, 0);
  const diskTone: Record<typeof storage.standing, StandingTone> = { fine: "good", short: "warning", full: "bad" };
  return (
    <dl className="mt-6 grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <Standing label="Workers" tone={answer ? "good" : "bad"} value={answer ? "Responding" : "Silent"} />
      <Standing label="Waiting" tone="neutral" value={countText(waiting)} note={`${countText(running)} running`} />
      <Standing label="Failures" tone={failed > 0 ? "warning" : "good"} value={countText(failed)} note="in 30 days" />
      <Standing
        label="Free disk"
        tone={diskTone[storage.standing]}
        value={bytesText(storage.free_bytes)}
        note={storage.standing === "fine" ? `${bytesText(storage.reserve_bytes)} are kept free` : storage.standing}
      />
    </dl>
  );
}

function Queues({ queues }: Pick<OperatorOverview, "queues">) {
  return (
    <table className="w-full text-left text-sm">
      <thead className="text-haze">
        <tr>
          <th scope="col" className="pb-2 font-semibold">
            Jobs
          </th>
          <NumberHead>Waiting</NumberHead>
          <NumberHead>Running</NumberHead>
          <NumberHead>Oldest</NumberHead>
        </tr>
      </thead>
      <tbody className="divide-y divide-line/70 border-t border-line/70">
        {queues.map((queue) => {
          const isIdle = queue.waiting + queue.running === 0;
          return (
            <tr key={queue.name} className={isIdle ? "text-haze" : ""}>
              <th scope="row" className="py-2 pr-2 font-semibold">
                {queueLabel(queue.name)}
              </th>
              <NumberCell>{countText(queue.waiting)}</NumberCell>
              <NumberCell>{countText(queue.running)}</NumberCell>
              <NumberCell>
                {queue.oldest_waiting_seconds === null ? "–" : durationText(queue.oldest_waiting_seconds)}
              </NumberCell>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const NumberHead = ({ children }: { children: ReactNode }) => (
  <th scope="col" className="pb-2 pl-2 text-right font-semibold">
    {children}
  </th>
);
const NumberCell = ({ children }: { children: ReactNode }) => (
  <td className="py-2 pl-2 text-right whitespace-nowrap tabular-nums">{children}</td>
);

function Backup({ backup }: Pick<OperatorOverview, "backup">) {
  if (!backup) {
    return (
      <p className="text-fog">
        No daily backup is set up. Give <code className="text-chalk">BACKUP_DIR</code> a folder on another disk.
      </p>
    );
  }
  const { newest, next_due_at: next } = backup;
  return (
    <dl className="grid gap-3 text-sm">
      <Fact name="Last backup" value={newest ? <LocalTime iso={newest.at} /> : "There is none yet"} />
      {newest ? (
        <>
          <Fact name="File" value={<span className="break-all">{newest.file}</span>} />
          <Fact name="Size" value={bytesText(newest.bytes)} />
          <Fact name="Kept" value={countText(newest.kept)} />
        </>
      ) : null}
      <Fact name="Next one due" value={<LocalTime iso={next} />} />
    </dl>
  );
}

function Facts({ facts, isWide = false }: { facts: { name: string; value: string }[]; isWide?: boolean }) {
  return (
    <dl className={`grid gap-x-10 gap-y-3 text-sm ${isWide ? "lg:grid-cols-2" : ""}`}>
      {facts.map(({ name, value }) => (
        <Fact key={name} name={name} value={<span className="break-all">{readable(name, value)}</span>} />
      ))}
    </dl>
  );
}

/** A size as people say it. */
const readable = (name: string, value: string) =>
  name.endsWith("_BYTES") && /^\d+$/.test(value) ? bytesText(Number(value)) : value;

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-b border-line/50 pb-2">
      <dt className="text-fog">{name}</dt>
      <dd className="text-right font-semibold">{value}</dd>
    </div>
  );
}
