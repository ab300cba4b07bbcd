import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { highlightDefinitions } from "../../contract/highlight-definitions.ts";
import { highlightTypes } from "../../contract/highlight-types.ts";
import { api } from "../api/client.server.ts";
import { logFailure } from "../api/page-failure.server.ts";
import type { PageHandle } from "../shell/page-handle.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { productName } from "../shell/product-name.ts";

export const handle: PageHandle = { hydrate: false };

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({
    title: `What counts as a highlight - ${productName}`,
    description: `How ${productName} finds aces, clutches, no-scopes and every other CS2 highlight in a demo: the exact rule of each.`,
    url: data?.address,
  });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = await api(request, context)
    .siteDetails()
    .catch((error: unknown) => logFailure("Site details:", error));
  return {
    address: site ? `${site.public_url}/highlights/about` : undefined,
    definitions: highlightTypes.map((type) => ({ type, ...highlightDefinitions[type] })),
  };
}

/** `docs/highlights.md` has the points behind it. */
const ranking = [
  "Its type comes first: a 1v5 clutch before an ace or a 1v4, those before a 1v3, a quad kill, a ninja defuse, a knife kill, and so on down to a kill with fire.",
  "How the kills were made: without the scope, in mid-air or blind counts most, then two victims of one bullet, through smoke, through a wall, a headshot; a knife or the Zeus counts more than a rifle.",
  "Speed: four kills in three seconds beat four kills in thirty.",
  "The round: match point, overtime, pistol rounds and close scores count more, a lost round less.",
  "A clutch that was won by waiting, without a kill or the defuse, counts much less.",
];

const clipContents = [
  "It starts four seconds before the first kill and ends two seconds after the last, half a second when it is all single special kills.",
  "Where kills are more than ten seconds apart, a cut skips the wait.",
  "Nothing is shown before the last second of freeze time, nor after the round's end.",
  "Several highlights play in the order of the match, and no moment is shown twice.",
];

export default function AboutHighlights() {
  const { definitions } = useLoaderData<typeof loader>();
  return (
    <>
      <h1 className="title-1">What counts as a highlight</h1>
      <p className="mt-4 max-w-2xl text-lg leading-relaxed text-fog">
        Only kills in the live part of a round count: after freeze time, up to the end of the round. Team kills,
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
      <div className="mt-14 grid gap-x-10 gap-y-12 lg:grid-cols-2">
        <Explanation title="How highlights are ranked" points={ranking} />
        <Explanation title="What a clip shows" points={clipContents} />
      </div>
    </>
  );
}

function Explanation({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <section>
      <h2 className="title-2">{title}</h2>
      <ul className="mt-4 grid gap-3 leading-relaxed text-fog">
        {points.map((point) => (
          <li key={point} className="border-l-2 border-line-2 pl-4">
            {point}
          </li>
        ))}
      </ul>
    </section>
  );
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
