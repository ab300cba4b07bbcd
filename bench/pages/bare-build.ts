import type { ServerBuild } from "@remix-run/node";
import { Outlet } from "@remix-run/react";
import { createElement } from "react";

/**
 * The product's Remix build with its routes replaced by one that loads nothing and draws one line: the cost of Remix itself. It is at `/`
 * (a path whose page the server shares for a second) and at `/bare` (rendered for each request).
 */
export function bareBuild(build: ServerBuild): ServerBuild {
  const { root } = build.routes;
  const rootAsset = build.assets.routes.root;
  if (!root || !rootAsset) throw new Error("The build has no root route.");
  const document = () => createElement("html", { lang: "en" }, createElement("body", null, createElement(Outlet)));
  const line = {
    default: () => createElement("p", null, "Nothing but Remix."),
    loader: () => ({ nothing: true }),
  };
  const asset = { ...rootAsset, hasAction: false, hasErrorBoundary: false };
  const child = (id: string, place: { path: string } | { index: true }) => ({
    route: { ...root, id, parentId: "root", path: undefined, ...place, module: line },
    asset: { ...asset, id, parentId: "root", path: undefined, ...place, hasLoader: true },
  });
  const children = {
    "routes/index": child("routes/index", { index: true }),
    "routes/bare": child("routes/bare", { path: "bare" }),
  };
  return {
    ...build,
    routes: {
      root: { ...root, module: { default: document } },
      ...Object.fromEntries(Object.entries(children).map(([id, { route }]) => [id, route])),
    },
    assets: {
      ...build.assets,
      routes: {
        root: { ...asset, hasLoader: false },
        ...Object.fromEntries(Object.entries(children).map(([id, made]) => [id, made.asset])),
      },
    },
  };
}
