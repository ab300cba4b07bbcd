export type ImportResult =
  | { ok: true; intent: string }
  | {
      ok: false;
      intent: string;
      /** Empty when the specification only logs the failure. */
      error: string;
      demoUrl: string;
      /** Which match's form it was, where there are several. */
      of: string;
    };

/** The answer to a form of My Matches that was not carried out. */
export function importFailure(form: FormData, error: string): ImportResult {
  const field = (name: string) => String(form.get(name) ?? "");
  return {
    ok: false,
    intent: field("intent"),
    error,
    demoUrl: field("demo_url"),
    of: field("recent_match_id") || field("match_id"),
  };
}
