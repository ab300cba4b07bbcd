import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

const pages = { "My Clips": "/clips", "My Matches": "/matches" } as const;
const named = new RegExp(`(${Object.keys(pages).join("|")})`);

/** A sentence of the API with links to the pages that it mentions. */
export function withWaysOut(sentence: string | null | undefined): ReactNode {
  if (!sentence) return null;
  return sentence.split(named).map((part, index) =>
    part in pages ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence stay in their order
      <Link key={index} to={pages[part as keyof typeof pages]} className="underline underline-offset-2">
        {part}
      </Link>
    ) : (
      part
    ),
  );
}
