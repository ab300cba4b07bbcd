import { type ReactNode, useId } from "react";

/** A part of the page with its heading. */
export function Panel({ title, isWide = false, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`panel min-w-0 self-start p-4 sm:p-6 ${isWide ? "lg:col-span-2" : ""}`}>
      <h2 id={id} className="title-2 mb-4">
        {title}
      </h2>
      {children}
    </section>
  );
}

export type StandingTone = "good" | "warning" | "bad" | "neutral";

const dots: Record<StandingTone, string> = {
  good: "bg-win",
  warning: "bg-tee",
  bad: "bg-flare",
  neutral: "bg-haze",
};

/** One answer in one word or figure. */
export function Standing(props: { label: string; tone: StandingTone; value: string; note?: string }) {
  const { label, tone, value, note } = props;
  return (
    <div className="panel flex flex-col gap-1.5 px-4 py-3.5">
      <dt className="flex items-center gap-2 text-sm font-semibold text-fog">
        <Dot tone={tone} />
        {label}
      </dt>
      <dd className="figure text-2xl leading-none sm:text-3xl">
        {value}
        {note ? <span className="mt-1.5 block font-sans text-xs font-medium text-haze">{note}</span> : null}
      </dd>
    </div>
  );
}

export const Dot = ({ tone }: { tone: StandingTone }) => (
  <span aria-hidden="true" className={`size-2.5 flex-none rounded-full ${dots[tone]}`} />
);

/** How much of a whole. @param share 0..1 */
export function Bar({ share, tone = "bg-ct" }: { share: number; tone?: string }) {
  return (
    <span aria-hidden="true" className="meter block">
      <span className={`block ${tone}`} style={{ width: `${Math.min(100, share * 100)}%` }} />
    </span>
  );
}
