import type { MetaFunction } from "@remix-run/node";
import { pageMeta } from "../shell/page-meta.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Page not found", noindex: true });

/** @throws Response 404, always */
export function loader() {
  throw new Response("There is nothing at this address", { status: 404 });
}

export const action = loader;

export default function NotFound() {
  return null;
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
