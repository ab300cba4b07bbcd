import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { highlightDefinitions } from "../../contract/highlight-definitions.ts";
import { highlightTypes } from "../../contract/highlight-types.ts";
import { api } from "../api/client.server.ts";
import { logFailure } from "../api/page-failure.server.ts";
import { Icon } from "../components/icon.tsx";
import type { PageHandle } from "../page-handle.ts";
import { pageMeta } from "../page-meta.ts";
import { productName } from "../product.ts";

export const handle: PageHandle = { hydrate: false };

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({
    title: `What counts as a highlight - ${productName}`,
    description: `How ${productName} finds aces, clutches, no-scopes and every other CS2 highlight in a demo: the exact rule of each.`,
    url: data?.address,
  });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = await api(request, context)
    .site()
    .catch((error: unknown) => logFailure("Site details:", error));
  return {
    address: site ? `${site.public_url}/highlights/about` : undefined,
    definitions: highlightTypes.map((type) => ({ type, ...highlightDefinitions[type] })),
  };
}

export default function AboutHighlights() {
  const { definitions } = useLoaderData<typeof loader>();
  return (
    <>
      <h1 className="title-1">What counts as a highlight</h1>
      <p className="mt-4 max-w-2xl text-lg leading-relaxed text-fog">
        Only kills of the live part of a round count: after freeze time, up to the end of the round. Team kills,
        suicides and kills by bots never do. Every death counts against a clutch, a disconnect too.
      </p>
      <dl className="mt-8 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {definitions.map(({ type, label, rule }) => (
          <div key={type} id={type} className="panel p-5 target:border-flare">
            <dt className="flex items-center gap-3 font-display text-xl font-bold">
              <Icon name={type} className="size-7 text-flare" />
              {label}
            </dt>
            <dd className="mt-2 leading-relaxed text-fog">{rule}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export { PageProblem as ErrorBoundary } from "../components/page-problem.tsx";
