import { useLocation } from "@remix-run/react";
import { useContext } from "react";
import { ServedContext } from "../served-context.ts";
import { isPaused, refreshField } from "./refreshing.ts";

interface PauseRefreshingProps {
  /** What the visitor does meanwhile: "choose highlights". */
  toDo: string;
  /** Id of the page's form, if it can be sent by GET: the page then comes back with its fields, and paused. */
  form?: string | undefined;
}

/** Without JavaScript: says that the page reloads while something is under way, with a link to pause that. */
export default function PauseRefreshing({ toDo, form }: PauseRefreshingProps) {
  const { pathname, search } = useLocation();
  const { refreshes } = useContext(ServedContext);
  const query = new URLSearchParams(search);
  const paused = isPaused(query);
  if (!refreshes && !paused) return null;
  if (paused) query.delete(refreshField);
  else query.set(refreshField, "off");
  const address = `${pathname}${query.size > 0 ? `?${query}` : ""}`;
  return (
    <p className="mt-4 text-sm text-fog">
      {paused ? (
        <>
          {form ? <input type="hidden" form={form} name={refreshField} value="off" /> : null}
          Refreshing is paused.{" "}
          <a className="link" href={address}>
            Refresh again
          </a>
        </>
      ) : (
        <>
          This page refreshes by itself.{" "}
          {form ? (
            <>
              {/* Enter in a field presses the form's first button: it must not be the one that pauses. */}
              <button type="submit" form={form} formMethod="get" aria-hidden="true" tabIndex={-1} className="sr-only" />
              <button type="submit" form={form} formMethod="get" name={refreshField} value="off" className="link">
                Pause refreshing
              </button>
            </>
          ) : (
            <a className="link" href={address}>
              Pause refreshing
            </a>
          )}{" "}
          while you {toDo}.
        </>
      )}
    </p>
  );
}
