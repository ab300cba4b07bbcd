import type { ReactNode } from "react";
import type { Automation } from "../../../contract/schemas/automation.ts";
import { LocalTime } from "../../shell/pieces/local-time.tsx";

interface AutomationStateProps {
  automation: Automation;
  /** How it is switched off. */
  children: ReactNode;
}

/** How it is going, without alarm: what does not work now is tried again by itself. */
export function AutomationState({ automation, children }: AutomationStateProps) {
  const { looked_at, found_at, next_look_at, problem, matches_under_way, clips_today, clips_per_day } = automation;
  return (
    <div className="mb-7 rounded-lg border border-line bg-ink p-4">
      <div className="mb-4 flex items-center justify-between gap-3">
        <span className="rounded bg-win/15 px-2 py-0.5 font-semibold text-win">On</span>
        {children}
      </div>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <Fact label="Last look">{looked_at ? <LocalTime iso={looked_at} /> : "Not yet"}</Fact>
        <Fact label="Next look">{next_look_at ? <LocalTime iso={next_look_at} /> : "Soon"}</Fact>
        <Fact label="Last new match">{found_at ? <LocalTime iso={found_at} /> : "None yet"}</Fact>
        <Fact label="Made today">
          {clips_today} of {clips_per_day}
          {matches_under_way > 0
            ? `, ${matches_under_way} ${matches_under_way === 1 ? "match" : "matches"} under way`
            : ""}
        </Fact>
      </dl>
      {problem ? <p className="mt-3 text-sm text-fog">{problem} It is tried again by itself.</p> : null}
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-fog">{label}</dt>
      <dd className="font-semibold tabular-nums">{children}</dd>
    </div>
  );
}
