import { Form, Link } from "@remix-run/react";
import { ClipLength } from "../clips/shared/clip-length.tsx";
import { ClipLoop, LoopSwitch } from "../clips/shared/clip-loop.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { PlayerName } from "../shell/pieces/player-name.tsx";
import { tagline } from "../shell/product-name.ts";
import { SignInButton } from "../shell/session/sign-in-button.tsx";
import { useSessionUser } from "../shell/session/use-session-user.ts";
import type { CarouselClip } from "./carousel-clip.ts";
import { ReplayArt } from "./replay-art.tsx";

const steps = [
  ["Import", "Paste a demo link, upload the file or pick one of your recent matches."],
  ["Choose", "Every clutch, multikill and special kill is found and listed, with the reason why."],
  ["Share", "Up to five highlights become one clip with its own page. Send the link."],
] as const;

interface HomeHeroProps {
  clip: CarouselClip | null;
  isNewcomer: boolean;
  isClosed: boolean;
}

/**
 * Introduces the product to first-time visitors; short for players who know it.
 * @param clip an example of what it makes; without one a drawing is shown
 * @param isClosed only members may look, and this visitor is not one
 * @param isNewcomer signed in and without a match: the sample is one click away
 */
export function HomeHero({ clip, isNewcomer, isClosed }: HomeHeroProps) {
  const user = useSessionUser();
  return (
    <section className="grid items-center gap-x-10 gap-y-8 lg:grid-cols-[1.05fr_1fr]">
      <div>
        <p className="eyebrow text-flare">{tagline}</p>
        <h1 className="mt-3 font-display text-[clamp(2.75rem,8vw,5rem)] leading-[0.88] font-bold tracking-tight uppercase">
          Your best rounds, <span className="text-flare">cut and ready</span>
        </h1>
        <p className="mt-5 max-w-lg text-lg leading-relaxed text-fog">
          Drop in a CS2 demo. Every clutch, ace and no-scope is found for you and drawn as a clean tactical replay you
          can share with a link.
        </p>
        <div className="mt-7 flex flex-wrap items-center gap-3">
          {user && isNewcomer ? (
            <Form method="post" action="/matches?index">
              <input type="hidden" name="intent" value="sample" />
              <input type="hidden" name="open" value="1" />
              <button type="submit" className="btn btn-primary px-6 text-lg">
                <Icon name="flask" />
                Try the sample match
              </button>
            </Form>
          ) : null}
          {user ? (
            <Link to="/matches" className={`btn px-6 text-lg ${isNewcomer ? "btn-quiet" : "btn-primary"}`}>
              Go to My Matches
            </Link>
          ) : (
            <SignInButton className="px-6 text-lg" />
          )}
          {isClosed ? (
            <p className="text-fog">Clips here are for members.</p>
          ) : (
            <a href="#top-highlights" className="btn btn-quiet">
              Watch clips
            </a>
          )}
        </div>
      </div>
      {clip ? <HeroClip key={clip.id} clip={clip} /> : <ReplayArt />}
      {user ? null : (
        <ol className="grid gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-3 lg:col-span-2">
          {steps.map(([title, text], index) => (
            <li key={title} className="flex gap-4 bg-deck p-5">
              <span aria-hidden="true" className="figure text-4xl leading-none text-line-2">
                {index + 1}
              </span>
              <div>
                <h2 className="text-xl uppercase">{title}</h2>
                <p className="mt-1.5 text-sm leading-relaxed text-fog">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** A clip of the server's own players, moving where it may. */
function HeroClip({ clip }: { clip: CarouselClip }) {
  return (
    <figure className="min-w-0">
      <div className="relative aspect-video overflow-hidden rounded-2xl bg-ink ring-1 ring-line">
        <img
          src={clip.thumbnail_url ?? undefined}
          alt=""
          // React 18 knows the attribute by its lower-case name only.
          {...{ fetchpriority: "high" }}
          className="absolute inset-0 size-full object-cover"
        />
        {clip.loop_url ? <ClipLoop url={clip.loop_url} /> : null}
        <Link
          to={`/clips/${clip.id}`}
          prefetch="none"
          className="absolute inset-0 flex items-end rounded-2xl bg-linear-to-t from-void via-void/55 via-15% to-transparent to-45% p-4 sm:p-5"
        >
          <span className="line-clamp-2 font-display text-lg leading-tight font-bold text-chalk sm:text-xl">
            {clip.display_name}
          </span>
        </Link>
        <ClipLength seconds={clip.duration_seconds} className="top-3 right-3" />
      </div>
      <figcaption className="mt-1 flex min-h-11 items-center justify-between gap-4 text-sm text-fog">
        <span className="flex min-w-0 items-center gap-1">
          <span className="flex-none">Clip by</span>{" "}
          <PlayerName isTarget steamId={clip.user.steam_id} name={clip.user.username} className="link" />
        </span>
        {clip.loop_url ? <LoopSwitch className="flex-none text-sm" /> : null}
      </figcaption>
    </figure>
  );
}
