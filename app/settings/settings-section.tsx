import type { ReactNode } from "react";

interface SettingsSectionProps {
  /** Of its heading; links lead here by it. */
  id: string;
  title: string;
  /** What it does, in a sentence or two. */
  lead?: ReactNode;
  children: ReactNode;
}

/** A part of a page of settings. */
export function SettingsSection({ id, title, lead, children }: SettingsSectionProps) {
  return (
    <section aria-labelledby={id} className="panel min-w-0 p-5 sm:p-6">
      <h2 id={id} tabIndex={-1} className="title-2">
        {title}
      </h2>
      {lead ? <p className="mt-2 max-w-2xl leading-relaxed text-fog">{lead}</p> : null}
      <div className="mt-5">{children}</div>
    </section>
  );
}
