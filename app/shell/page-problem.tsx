import { isRouteErrorResponse, Link, useLocation, useRevalidator, useRouteError } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { ConnectionNotice } from "./asking/connection-notice.tsx";
import { isPageInPlaceOfData, reasonOfRefusal } from "./asking/refused-answers.ts";
import { usePolling } from "./asking/use-polling.ts";
import { Icon } from "./pieces/icon.tsx";

export interface WayBack {
  to: string;
  label: string;
}

const startPage: WayBack = { to: "/", label: "Back to the start page" };

interface PageProblemProps {
  wayBack?: WayBack;
  notFoundTitle?: string;
  /** Shown when there is nothing at this address yet but may be soon: the page then tries again by itself. */
  coming?: ReactNode;
  /** The address to try again, when it is not the page's own. */
  again?: string | undefined;
}

const comingPollMs = 10_000;

/** Replaces a page that could not be shown. It tries again by itself if the server was out of reach. */
export function PageProblem({ wayBack = startPage, notFoundTitle, coming, again }: PageProblemProps) {
  const error = useRouteError();
  const { revalidate } = useRevalidator();
  const { pathname, search } = useLocation();
  const status = isRouteErrorResponse(error) ? error.status : null;
  const isOutOfReach = status === null || status >= 502;
  const [reason, setReason] = useState("");
  useEffect(() => {
    if (isPageInPlaceOfData(error)) void reasonOfRefusal().then(setReason);
  }, [error]);
  const mayCome = status === 404 && Boolean(coming);
  const everyMs = mayCome ? comingPollMs : limits.clipStatusPollMs;
  const isLost = usePolling(isOutOfReach || mayCome ? "/session" : null, everyMs, revalidate);
  return (
    <section className="mx-auto grid max-w-xl justify-items-center gap-5 py-16 text-center">
      <Icon name={status === 404 ? "target" : "alert"} className="size-14 text-flare" />
      {status ? <p className="figure text-6xl leading-none text-line-2">{status}</p> : null}
      {status === 404 && notFoundTitle ? (
        <>
          <h1 className="title-2">{notFoundTitle}</h1>
          <p className="text-fog">{sentenceOf(error)}</p>
          {coming}
        </>
      ) : (
        <h1 className="title-2">{reason || sentenceOf(error)}</h1>
      )}
      {isOutOfReach || mayCome ? <ConnectionNotice isLost={isLost} /> : null}
      <div className="flex flex-wrap justify-center gap-3">
        <Link to={wayBack.to} className="btn btn-primary">
          <Icon name="back" />
          {wayBack.label}
        </Link>
        {isOutOfReach ? (
          <a href={again ?? pathname + search} className="btn btn-quiet">
            Try again
          </a>
        ) : null}
      </div>
    </section>
  );
}

function sentenceOf(error: unknown): string {
  if (!isRouteErrorResponse(error)) return "Something went wrong";
  if (typeof error.data === "string" && error.data && !error.data.startsWith("Error:")) return error.data;
  if (error.status === 404) return "There is nothing at this address";
  return error.statusText || "Something went wrong";
}
