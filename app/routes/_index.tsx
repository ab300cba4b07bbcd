import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import type { TopHighlights } from "../../contract/schemas/clip-lists.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import { ApiFailure } from "../api/api-failure.ts";
import { type Api, api } from "../api/client.server.ts";
import { hasSession, logFailure } from "../api/page-failure.server.ts";
import { clipFilterOf, filterQuery, isFiltered } from "../clips/filters/clip-filter.ts";
import { ClipFilters } from "../clips/filters/clip-filters.tsx";
import { mapOptions } from "../clips/filters/map-options.server.ts";
import { carouselClip } from "../home/carousel-clip.ts";
import { type TopListName, topListOrder } from "../home/carousels.ts";
import { type FirstOfList, firstClips } from "../home/first-clips.ts";
import { HomeHero } from "../home/home-hero.tsx";
import { TopCarousel } from "../home/top-carousel.tsx";
import { useAllClips } from "../home/use-all-clips.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { productName } from "../shell/product-name.ts";
import { SignInProblem } from "../shell/session/sign-in-problem.tsx";
import { SignedOutNotice } from "../shell/session/signed-out-notice.tsx";

const newestFeed = "/api/feeds/newest.atom";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({
    title: `${productName} - Create CS2 highlight clips and compilations`,
    description:
      "Import a CS2 match, get every ace, clutch and no-scope found for you, and turn the best of them into one clip to share.",
    url: data?.address,
    feed: newestFeed,
  });

/** A failure leaves all nine lists empty (specification, section 8); that the server is in trouble is said by the status, for monitors. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  const query = new URL(request.url).searchParams;
  const filter = clipFilterOf(query);
  let status = 200;
  let isClosed = false;
  const [top, site, standing] = await Promise.all([
    client.clips.top({ query: { ...filter, public_view: "true" } }).catch((error: unknown): undefined => {
      // Where only members may look, and this visitor is none.
      isClosed = error instanceof ApiFailure && error.status === 401;
      if (isClosed) return;
      logFailure("Top highlights:", error);
      if (error.status >= 500) status = 503;
    }),
    client.siteDetails().catch((error: unknown) => logFailure("Site details:", error)),
    // Who is signed in has this cookie, and few others do.
    hasSession(request) ? client.auth.standing().catch(() => null) : null,
  ]);
  const lists = topListOrder.map(({ name }) => top?.[name] ?? []);
  const heroClip = heroOf(top) ?? (top && isFiltered(filter) ? heroOf(await unfiltered(client)) : undefined);
  const begins = firstClips(lists, askedClips(query), heroClip);
  const shown = {
    filter,
    isClosed,
    maps: mapOptions(filter.map),
    isNewcomer: standing?.has_matches === false,
    heroClip: heroClip ? carouselClip(heroClip) : null,
    // One of each: who turns none need not wait for the others to be written and sent (decision 169).
    lists: lists.map((list, position): FirstOfList => {
      const index = begins[position] ?? 0;
      const clip = list[index];
      return { count: list.length, index, clip: clip ? carouselClip(clip) : null };
    }),
    address: site ? `${site.public_url}/` : undefined,
  };
  return data(shown, { status });
}

export default function Home() {
  const { lists, heroClip, filter, maps, isNewcomer, isClosed } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const addressOf = (name: TopListName, index: number) => {
    const next = new URLSearchParams(query);
    for (const word of ["login", "reason", "next", "logout", "account"]) next.delete(word);
    next.set(name, String(index + 1));
    return `/?${next}#${name}`;
  };
  const narrowed = filterQuery(filter).toString();
  const all = useAllClips(narrowed);
  const isEmpty = lists.every(({ count }) => count === 0);
  if (isClosed) {
    return (
      <>
        <SignInProblem />
        <SignedOutNotice />
        <HomeHero clip={null} isNewcomer={false} isClosed />
      </>
    );
  }
  return (
    <>
      <SignInProblem />
      <SignedOutNotice />
      <HomeHero clip={heroClip} isNewcomer={isNewcomer} isClosed={false} />
      <section aria-labelledby="top-highlights" className="mt-14 sm:mt-20">
        <h2 id="top-highlights" className="title-1">
          Top Highlights
        </h2>
        {isEmpty && !isFiltered(filter) ? null : (
          <div className="mt-5">
            <ClipFilters action="/#top-highlights" filter={filter} maps={maps} />
          </div>
        )}
        <div className="mt-6 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
          {topListOrder.map(({ name, title, icon }, position) => (
            <TopCarousel
              key={`${name} ${narrowed}`}
              list={name}
              title={title}
              icon={icon}
              first={lists[position] ?? { count: 0, index: 0, clip: null }}
              all={all.lists?.[position] ?? null}
              askForAll={all.ask}
              addressOf={(index) => addressOf(name, index)}
              loadsAtOnce={position === 0}
            />
          ))}
        </div>
        <p className="mt-8 text-center">
          <a href={newestFeed} className="link inline-flex min-h-11 items-center text-sm text-fog">
            Follow new clips in a feed reader (Atom)
          </a>
        </p>
      </section>
    </>
  );
}

/** By list, the clip that the address asks for, from 0; null where it asks for none. */
function askedClips(query: URLSearchParams): (number | null)[] {
  return topListOrder.map(({ name }) => {
    const index = Math.trunc(Number(query.get(name))) - 1;
    return query.has(name) ? Math.max(0, index) || 0 : null;
  });
}

/** What Home begins with where a filter leaves no clip: what it shows is what the product makes, whatever is looked for. */
async function unfiltered(client: Api): Promise<TopHighlights | undefined> {
  try {
    return await client.clips.top({ query: { public_view: "true" } });
  } catch (error) {
    logFailure("Top highlights:", error);
    return undefined;
  }
}

/** The clip that players like most, of those that move if there are any. */
function heroOf(top: TopHighlights | undefined): Clip | undefined {
  if (!top) return undefined;
  const clips = [...top.most_liked, ...top.most_viewed, ...top.newest];
  return clips.find((clip) => clip.loop_url) ?? clips.find((clip) => clip.thumbnail_url);
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
