import { Link, useLocation } from "@remix-run/react";
import { isOfMatches } from "./is-of-matches.ts";
import { Icon } from "./pieces/icon.tsx";
import { useSessionUser } from "./session/use-session-user.ts";

const places = [
  { to: "/", label: "Home", icon: "home" },
  { to: "/matches", label: "My Matches", icon: "matches" },
  { to: "/clips", label: "My Clips", icon: "clips" },
];
const operatorsPlace = { to: "/operator", label: "Operator", icon: "scan" };

/** On phones the signed-in player's places lie under the thumb. */
export function BottomNavigation() {
  const isOperator = useSessionUser()?.is_operator ?? false;
  const { pathname } = useLocation();
  const isActive = (to: string) => (to === "/matches" ? isOfMatches(pathname) : to === pathname);
  const shown = isOperator ? [...places, operatorsPlace] : places;
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-ink/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-md sm:hidden"
    >
      <ul className={`grid ${isOperator ? "grid-cols-4" : "grid-cols-3"}`}>
        {shown.map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} aria-current={isActive(to) ? "page" : undefined} className="nav-place">
              <Icon name={icon} className="size-6" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
