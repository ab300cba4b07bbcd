import { Link } from "@remix-run/react";
import { tagline } from "../shell/product-name.ts";
import { SignInButton } from "../shell/session/sign-in-button.tsx";
import { useSessionUser } from "../shell/session/use-session-user.ts";
import { ReplayArt } from "./replay-art.tsx";

const steps = [
  ["Import", "Paste a demo link, upload the file or pick one of your recent matches."],
  ["Choose", "Every clutch, multikill and special kill is found and listed, with the reason why."],
  ["Share", "Up to five highlights become one clip with its own page. Send the link."],
] as const;

/** What the product is, for someone who opens it for the first time; short for players who know. */
export function HomeHero() {
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
          {user ? (
            <Link to="/matches" className="btn btn-primary px-6 text-lg">
              Go to My Matches
            </Link>
          ) : (
            <SignInButton className="px-6 text-lg" />
          )}
          <a href="#top-highlights" className="btn btn-quiet">
            Watch clips
          </a>
        </div>
      </div>
      <ReplayArt />
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
