import { readdirSync, readFileSync } from "node:fs";

interface ClientManifest {
  routes: Record<string, { id: string; parentId?: string; path?: string; hasAction: boolean }>;
}

const assets = new URL("../../build/client/assets/", import.meta.url).pathname;

/** Paths of all pages that take a form, with `:name` for parameters; read from the build, so that a new one is among them. */
export function pagesWithForms(): string[] {
  const file = readdirSync(assets).find((name) => /^manifest-[\w-]+\.js$/.test(name));
  const text = readFileSync(assets + file, "utf8");
  const { routes } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as ClientManifest;
  const pathOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id];
    return route ? `${pathOf(route.parentId)}${route.path ? `/${route.path}` : ""}` : "";
  };
  return Object.values(routes)
    .filter(({ hasAction }) => hasAction)
    .map(({ id }) => pathOf(id) || "/");
}
