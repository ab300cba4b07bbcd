import type { ActionFunctionArgs, LoaderFunctionArgs, ServerBuild } from "@remix-run/node";

export interface SmallPage {
  /** As in a route's file name, without the slash in front; "" is the home page. */
  path: string;
  loader?: (args: LoaderFunctionArgs) => Response | Promise<Response>;
  action?: (args: ActionFunctionArgs) => Response | Promise<Response>;
}

/** A Remix build of a few pages, for tests of the code in front of and around pages, which run without the product's build. */
export function smallPages(pages: readonly SmallPage[]): ServerBuild {
  const routes = pages.map(({ path, ...module }) => ({
    id: `routes/${path || "_index"}`,
    parentId: "root",
    ...(path ? { path } : { index: true }),
    module,
  }));
  const all = [{ id: "root", path: "", module: { default: () => null } }, ...routes];
  const manifest = all.map(({ module, ...route }) => ({
    ...route,
    module: "",
    hasAction: "action" in module,
    hasLoader: "loader" in module,
    hasClientAction: false,
    hasClientLoader: false,
    hasErrorBoundary: false,
  }));
  const byId = <Entry extends { id: string }>(entries: Entry[]) =>
    Object.fromEntries(entries.map((entry) => [entry.id, entry]));
  return {
    mode: "production",
    entry: {
      module: {
        default: () => {
          throw new Error("These pages have no documents.");
        },
      },
    },
    routes: byId(all),
    assets: { entry: { imports: [], module: "" }, routes: byId(manifest), url: "", version: "" },
    publicPath: "/",
    assetsBuildDirectory: "",
    future: { v3_singleFetch: true } as ServerBuild["future"],
    isSpaMode: false,
  } as unknown as ServerBuild;
}
