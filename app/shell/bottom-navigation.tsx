import { NavLink } from "@remix-run/react";
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
  const shown = isOperator ? [...places, operatorsPlace] : places;
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-ink/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-md sm:hidden"
    >
      <ul className={`grid ${isOperator ? "grid-cols-4" : "grid-cols-3"}`}>
        {shown.map(({ to, label, icon }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to !== "/matches"}
              className={({ isActive }) =>
                `flex min-h-16 flex-col items-center justify-center gap-1 text-xs font-semibold ${
                  isActive ? "text-chalk [&>svg]:text-flare" : "text-fog"
                }`
              }
            >
              <Icon name={icon} className="size-6" />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
