import type { ServerBuild } from "@remix-run/node";
import { createElement } from "react";

/** The product's Remix build with its routes replaced by one that loads nothing and draws one line: what Remix itself costs. */
export function bareBuild(build: ServerBuild): ServerBuild {
  const root = build.routes.root;
  if (!root) throw new Error("The build has no root route.");
  const document = () =>
    createElement("html", { lang: "en" }, createElement("body", null, createElement("p", null, "Nothing but Remix.")));
  return {
    ...build,
    routes: { root: { ...root, module: { default: document, loader: () => ({ nothing: true }) } } },
    assets: {
      ...build.assets,
      routes: { root: { ...build.assets.routes.root!, hasLoader: true, hasAction: false, hasErrorBoundary: false } },
    },
  };
}
