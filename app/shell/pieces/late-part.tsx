import { useLocation } from "@remix-run/react";
import { type ComponentType, createElement, lazy, memo, type ReactNode, Suspense, useState } from "react";

type Part<Props> = (props: Props) => ReactNode;

/** In place of a late part without which the page is whole. */
export const nothing = () => null;

/**
 * A part of a page whose code is loaded once it is drawn. Without a network, or after an upgrade that has taken the file away, the
 * page stays, and `Missing` stands in the part's place; a `lazy` that fails would take the whole page along. Drawn anew, it is
 * tried again.
 * @param load imports the part
 * @param Missing gets the part's own props; without one a sentence and the way to load the page again
 */
export function latePart<Props extends object>(
  load: () => Promise<{ default: Part<Props> }>,
  Missing: Part<Props> = PartMissing,
) {
  const begin = () =>
    lazy(() =>
      load()
        .catch(() => {
          latest = begin();
          return { default: Missing };
        })
        .then((part) => part as { default: ComponentType<Props> }),
    ) as unknown as ComponentType<Props>;
  let latest = begin();
  // React throws away what the server has drawn of a part, and says so as an error, when it is drawn again before its code has come.
  return memo(function LatePart(props: Props) {
    // One that is missing stays so until the page draws it anew.
    const [part] = useState(() => latest);
    return <Suspense>{createElement(part, props)}</Suspense>;
  });
}

function PartMissing() {
  const { pathname, search } = useLocation();
  return (
    <p role="alert" className="my-4 text-fog">
      This part of the page could not be loaded.{" "}
      <a href={pathname + search} className="link inline-flex min-h-11 items-center">
        Load the page again
      </a>
    </p>
  );
}
