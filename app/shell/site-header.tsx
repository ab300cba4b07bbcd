import { Form, Link, NavLink, useLocation } from "@remix-run/react";
import { isOfMatches } from "./is-of-matches.ts";
import { Logo } from "./logo.tsx";
import { Avatar } from "./pieces/avatar.tsx";
import { Icon } from "./pieces/icon.tsx";
import { productName } from "./product-name.ts";
import { SignInButton } from "./session/sign-in-button.tsx";
import { useSessionUser } from "./session/use-session-user.ts";

export function SiteHeader() {
  const user = useSessionUser();
  const isActive = isOfMatches(useLocation().pathname);
  return (
    <header className="site-header top-0 z-30 border-b border-line/70 bg-void/85 backdrop-blur-md">
      <div className="wrap flex h-16 items-center justify-between gap-4">
        <Link
          to="/"
          aria-label={`${productName}, home`}
          // An operator has a link more, and a name that is to be seen.
          className={`flex min-h-11 items-center text-chalk max-[22rem]:[&_.figure]:sr-only ${
            user?.is_operator ? "sm:max-lg:[&_.figure]:sr-only" : ""
          }`}
        >
          <Logo />
        </Link>
        {user ? (
          <>
            <nav aria-label="Main" className="mr-auto hidden sm:flex md:ml-4">
              <Link to="/matches" aria-current={isActive ? "page" : undefined} className="nav-link">
                My Matches
              </Link>
              <NavLink to="/clips" end className="nav-link">
                My Clips
              </NavLink>
              {user.is_operator ? (
                <NavLink to="/operator" className="nav-link">
                  Operator
                </NavLink>
              ) : null}
            </nav>
            <div className="flex min-w-0 items-center gap-1 md:gap-3">
              <Link
                to={`/users/${user.steam_id}/clips`}
                className="flex min-h-11 min-w-0 items-center gap-2.5 rounded-lg"
                title="Your public clips page"
              >
                <Avatar url={user.avatar_url} of={user.steam_id} />
                <bdi className="max-w-40 truncate text-sm font-semibold max-sm:max-w-24">{user.steam_name}</bdi>
              </Link>
              <NavLink to="/settings" aria-label="Settings" title="Settings" className="icon-btn flex-none">
                <Icon name="gear" />
              </NavLink>
              <Form method="post" action="/logout" reloadDocument>
                <button
                  type="submit"
                  className="btn btn-quiet max-md:border-transparent max-md:bg-transparent max-md:px-3"
                  aria-label="Logout"
                >
                  <span className="max-md:hidden">Logout</span>
                  <Icon name="logout" className="size-5 md:hidden" />
                </button>
              </Form>
            </div>
          </>
        ) : (
          <SignInButton className="max-sm:px-2.5 max-sm:text-[0.95rem] max-sm:tracking-normal" />
        )}
      </div>
    </header>
  );
}
