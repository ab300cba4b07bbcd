import { NavLink } from "@remix-run/react";
import type { ReactNode } from "react";

/** The pages of the settings, in their order. */
const pages = [
  { to: "/settings", label: "Automatic" },
  { to: "/settings/notifications", label: "Notifications" },
  { to: "/settings/account", label: "Account" },
  { to: "/settings/access", label: "Access tokens" },
] as const;

/** Heading and tabs around each page of the settings. */
export function SettingsShell({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-4xl gap-8">
      <header>
        <h1 className="title-1">Settings</h1>
        <nav
          aria-label="Settings"
          className="mt-5 grid grid-cols-2 gap-x-1 sm:-mx-1 sm:flex sm:border-b sm:border-line"
        >
          {pages.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              end
              className={({ isActive }) =>
                `-mb-px flex min-h-11 items-center border-b-2 px-3 font-display text-lg font-bold ${
                  isActive ? "border-flare text-chalk" : "border-line text-fog hover:text-chalk sm:border-transparent"
                }`
              }
            >
              {label}
            </NavLink>
          ))}
        </nav>
      </header>
      {children}
    </div>
  );
}
