import { bytesText } from "../../contract/bytes-text.ts";
import type { OperatorOverview } from "../../contract/schemas/operator.ts";
import { durationText, takesText } from "./figures.ts";
import { queueLabel } from "./labels.ts";
import { Dot } from "./pieces.tsx";

const roles = { all: "Web and worker", web: "Web", worker: "Worker" };

/** The processes of the installation: whether they answer, and what they do. */
export function Processes({ processes }: Pick<OperatorOverview, "processes">) {
  if (processes.length === 0) return <p className="text-fog">No process has reported within the last hour.</p>;
  return (
    <ul className="grid gap-3">
      {processes.map((process) => (
        <li key={`${process.host} ${process.pid}`} className="rounded-xl border border-line bg-ink/60 p-3.5 text-sm">
          <p className="flex items-center gap-2 font-semibold">
            <Dot tone={process.answers ? "good" : "bad"} />
            {roles[process.role]}
            <span className="ml-auto font-normal text-fog">
              {process.answers ? "answers" : `silent for ${durationText(process.silent_seconds)}`}
            </span>
          </p>
          <p className="mt-1.5 break-all text-fog">
            {process.host}, process {process.pid}, version {process.version}
          </p>
          <p className={`mt-1 ${process.is_short ? "text-tee" : "text-fog"}`}>
            {bytesText(process.free_bytes)} of disk free
            {process.is_short ? ", less than its reserve" : ""}
          </p>
          {process.role === "web" ? null : <Work {...process} />}
        </li>
      ))}
    </ul>
  );
}

function Work({ running, places }: Pick<OperatorOverview["processes"][number], "running" | "places">) {
  return (
    <>
      <p className="mt-1 text-fog">{takesText(places)}</p>
      {running.length > 0 ? (
        <ul className="mt-2.5 flex flex-wrap gap-1.5">
          {running.map(({ queue, subject }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two jobs may work on the same thing, and none is told apart
            <li key={`${index} ${queue} ${subject}`} className="chip">
              {queueLabel(queue)}: {subject}
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-1 text-fog">Nothing in hand</p>
      )}
    </>
  );
}
