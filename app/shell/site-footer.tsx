import { Form, Link } from "@remix-run/react";
import { Logo } from "./logo.tsx";
import { copyrightYear, productName, tagline } from "./product-name.ts";
import { useSessionUser } from "./session/use-session-user.ts";

const legal = [
  ["/imprint", "Imprint"],
  ["/privacy", "Privacy Policy"],
  ["/terms", "Terms of Service"],
] as const;

export function SiteFooter() {
  const isSignedIn = useSessionUser() !== null;
  return (
    <footer className="mt-16 border-t border-line/70 bg-ink/60">
      <div className="wrap grid gap-8 py-10 sm:grid-cols-[1fr_auto]">
        <div className="max-w-xl">
          <Logo />
          <p className="eyebrow mt-3">{tagline}</p>
          <p className="mt-4 text-sm leading-relaxed text-fog">
            {productName} is not affiliated with, endorsed by or connected to Valve Corporation. Counter-Strike, CS2,
            Steam and their logos are trademarks or registered trademarks of Valve Corporation.
          </p>
        </div>
        <nav aria-label="Legal" className="sm:text-right">
          <ul className="flex flex-wrap gap-x-6 sm:flex-col">
            {legal.map(([to, label]) => (
              <li key={to}>
                <Link reloadDocument to={to} className="link inline-flex min-h-11 items-center text-sm text-fog">
                  {label}
                </Link>
              </li>
            ))}
            <li>
              <Link
                reloadDocument
                to="/highlights/about"
                className="link inline-flex min-h-11 items-center text-sm text-fog"
              >
                What counts as a highlight
              </Link>
            </li>
          </ul>
        </nav>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-sm text-haze sm:col-span-2">
          <p>
            © {copyrightYear} {productName}
          </p>
          {isSignedIn ? (
            <Form method="post" action="/logout" reloadDocument>
              <input type="hidden" name="everywhere" value="1" />
              <button type="submit" className="link min-h-11 cursor-pointer text-fog">
                Sign out on all devices
              </button>
            </Form>
          ) : null}
        </div>
      </div>
    </footer>
  );
}
