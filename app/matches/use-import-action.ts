import { useSearchParams } from "@remix-run/react";

/** Where forms of My Matches are sent: without JavaScript the same page of the list comes back with what became of them. */
export function useImportAction(): string {
  const page = useSearchParams()[0].get("page");
  return `/matches?index${page ? `&page=${encodeURIComponent(page)}` : ""}`;
}
