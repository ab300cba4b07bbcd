import { useLocation } from "@remix-run/react";
import { type ComponentType, createElement, lazy, memo, type ReactNode, Suspense, useState } from "react";

type Part<Props> = (props: Props) => ReactNode;

/** Stands in for a late part that the page can do without. */
export const nothing = () => null;

/**
 * A part of a page whose code is loaded when it is first rendered. If that fails, without a network or after an upgrade that removed the file,
 * `Missing` is shown in its place, while a failing `lazy` would replace the whole page. Rendered anew, it is tried again.
 * @param load imports the part
 * @param Missing gets the props of the part. Default: a sentence with a link that reloads the page
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
  // If a part is rendered again before its code has come, React throws away the server's HTML of it and reports an error.
  return memo(function LatePart(props: Props) {
    // A part that is missing stays so until the page is rendered anew.
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
