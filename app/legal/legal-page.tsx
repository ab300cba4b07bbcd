import type { ReactNode } from "react";

interface LegalPageProps {
  title: string;
  updated?: string;
  children: ReactNode;
}

/** A page of legal text. */
export function LegalPage({ title, updated, children }: LegalPageProps) {
  return (
    <article className="prose-legal mx-auto">
      <h1 className="title-1 text-chalk">{title}</h1>
      {updated ? <p className="mt-3 text-sm">Last updated: {updated}</p> : null}
      <div className="mt-6">{children}</div>
    </article>
  );
}
