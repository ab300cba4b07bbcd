import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { api } from "../api/client.server.ts";
import { logFailure } from "../api/page-failure.server.ts";
import { type ClipSummary, summariseClip } from "../clips/clip-summary.ts";
import { type TopListName, topListOrder } from "../home/carousels.ts";
import { HomeHero } from "../home/home-hero.tsx";
import { TopCarousel } from "../home/top-carousel.tsx";
import { pageMeta } from "../shell/page-meta.ts";
import { productName } from "../shell/product-name.ts";
import { SignInProblem } from "../shell/session/sign-in-problem.tsx";
import { SignedOutNotice } from "../shell/session/signed-out-notice.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({
    title: `${productName} - Create CS2 highlight clips and compilations`,
    description:
      "Import a CS2 match, get every ace, clutch and no-scope found for you, and turn the best of them into one clip to share.",
    url: data?.address,
  });

/** A failure leaves all nine lists empty (specification, section 8). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  const [top, site] = await Promise.all([
    client.clips.top().catch((error: unknown) => logFailure("Top highlights:", error)),
    client.siteDetails().catch((error: unknown) => logFailure("Site details:", error)),
  ]);
  return {
    lists: topListOrder.map(({ name }) => (top?.[name] ?? []).map(summariseClip)),
    address: site ? `${site.public_url}/` : undefined,
  };
}

export default function Home() {
  const { lists } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const addressOf = (name: TopListName, index: number) => {
    const next = new URLSearchParams(query);
    for (const word of ["login", "reason", "next", "logout"]) next.delete(word);
    next.set(name, String(index + 1));
    return `/?${next}#${name}`;
  };
  return (
    <>
      <SignInProblem />
      <SignedOutNotice />
      <HomeHero clip={heroClip(lists)} />
      <section aria-labelledby="top-highlights" className="mt-14 sm:mt-20">
        <h2 id="top-highlights" className="title-1">
          Top Highlights
        </h2>
        <div className="mt-6 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
          {topListOrder.map(({ name, title, icon }, position) => (
            <TopCarousel
              key={name}
              list={name}
              title={title}
              icon={icon}
              clips={lists[position] ?? []}
              initial={Math.max(0, Math.trunc(Number(query.get(name) ?? 1)) - 1) || 0}
              addressOf={(index) => addressOf(name, index)}
              loadsAtOnce={position === 0}
            />
          ))}
        </div>
      </section>
    </>
  );
}

/** The clip that players like most, of those that move if there are any. */
function heroClip(lists: readonly (readonly ClipSummary[])[]): ClipSummary | undefined {
  const wanted: TopListName[] = ["most_liked", "most_viewed", "newest"];
  const clips = wanted.flatMap((wantedName) => lists[topListOrder.findIndex(({ name }) => name === wantedName)] ?? []);
  return clips.find((clip) => clip.loop_url) ?? clips.find((clip) => clip.thumbnail_url);
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
