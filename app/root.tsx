import rajdhaniFont from "@fontsource/rajdhani/files/rajdhani-latin-700-normal.woff2?url";
import type { HeadersFunction, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { data } from "@remix-run/node";
import { Links, Meta, Outlet, Scripts, type ShouldRevalidateFunctionArgs, useMatches } from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { ApiFailure } from "./api/api-failure.ts";
import { api } from "./api/client.server.ts";
import interFont from "./fonts/inter-latin.woff2?url";
import { BottomNavigation } from "./shell/bottom-navigation.tsx";
import { ReadyNotices } from "./shell/notices/ready-notices.tsx";
import { OfflineGuard } from "./shell/offline-guard.tsx";
import { type PageHandle, type RefreshingData, refreshSecondsOf } from "./shell/page-handle.ts";
import { PageProblem } from "./shell/page-problem.tsx";
import { PendingPage } from "./shell/pending-page.tsx";
import { type RootData, useRootData } from "./shell/root-data.ts";
import { RouteChange } from "./shell/route-change.tsx";
import { ServedContext } from "./shell/served-context.ts";
import { LocalIdentityBanner } from "./shell/session/local-identity-banner.tsx";
import { SessionCheck } from "./shell/session/session-check.tsx";
import { useSessionUser } from "./shell/session/use-session-user.ts";
import { SiteFooter } from "./shell/site-footer.tsx";
import { SiteHeader } from "./shell/site-header.tsx";
import { timeZoneOf } from "./shell/time-zone-of-request.server.ts";
import stylesheet from "./tailwind.css?url";

export const links: LinksFunction = () => [
  { rel: "preload", href: interFont, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "preload", href: rajdhaniFont, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

/** A failed status check means signed out, silently (specification, section 8); a page that is open keeps who it knew. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  const [status, site] = await Promise.all([
    client.authStatus().catch(unknownUser),
    client.siteDetails().catch((error: unknown) => {
      if (error instanceof ApiFailure) return null;
      throw error;
    }),
  ]);
  const user = status.authenticated ? status.user : null;
  const headers = client.responseHeaders({ "Cache-Control": user ? "private, no-store" : "private, no-cache" });
  const known: RootData = {
    user,
    isUnknown: status === unknown,
    timeZone: timeZoneOf(request),
    localIdentity: site?.local_identity ?? false,
    savesData: request.headers.get("Save-Data") === "on",
  };
  return data(known, { headers });
}

export const headers: HeadersFunction = ({ loaderHeaders }) => ({
  "Cache-Control": loaderHeaders.get("Cache-Control") ?? "private, no-store",
});

/**
 * Who is signed in changes by signing in or out, which are whole page loads, or is noticed by SessionCheck. A page that needs
 * a session that has ended leads to the start page, which therefore always asks. After a failed form nothing is loaded anew:
 * Remix 2.17.5 leaves that to routes that have this function.
 */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
  formMethod,
  actionStatus = 200,
}: ShouldRevalidateFunctionArgs) {
  if (actionStatus >= 400) return false;
  if (!formMethod && currentUrl.href !== nextUrl.href && nextUrl.pathname !== "/") return false;
  return defaultShouldRevalidate;
}

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, refreshes } = useContext(ServedContext);
  const matches = useMatches();
  const isHydrated = matches.every((match) => (match.handle as PageHandle | undefined)?.hydrate !== false);
  const themeColor = matches.map((match) => (match.handle as PageHandle | undefined)?.themeColor).at(-1) ?? "#070a11";
  const refreshSeconds = refreshSecondsOf(matches.map((match) => match.data as RefreshingData));
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content={themeColor} />
        {refreshSeconds ? (
          <noscript>{refreshes ? <meta httpEquiv="refresh" content={String(refreshSeconds)} /> : null}</noscript>
        ) : null}
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {isHydrated ? <Scripts nonce={nonce} /> : null}
      </body>
    </html>
  );
}

export default function App() {
  const { localIdentity } = useRootData();
  const isBare = useMatches().some((match) => (match.handle as PageHandle | undefined)?.bare);
  if (isBare) return <Outlet />;
  return (
    <Shell localIdentity={localIdentity}>
      <PendingPage>
        <Outlet />
      </PendingPage>
    </Shell>
  );
}

export function ErrorBoundary() {
  return (
    <Shell localIdentity={false}>
      <PageProblem />
    </Shell>
  );
}

function Shell({ children, localIdentity }: { children: ReactNode; localIdentity: boolean }) {
  const cameSignedIn = useRootData().user !== null;
  const isSignedIn = useSessionUser() !== null;
  const isWide = useMatches().some((match) => (match.handle as PageHandle | undefined)?.wide);
  return (
    <div className={`flex min-h-dvh flex-col ${isSignedIn ? "max-sm:pb-20" : ""}`}>
      <a href="#content" className="btn btn-primary fixed top-2 left-2 z-50 -translate-y-24 focus:translate-y-0">
        Skip to content
      </a>
      <SiteHeader />
      {cameSignedIn ? <SessionCheck /> : null}
      {localIdentity ? <LocalIdentityBanner /> : null}
      <main id="content" tabIndex={-1} className={`wrap flex-1 py-8 sm:py-12 ${isWide ? "wrap-wide" : ""}`}>
        {children}
      </main>
      <SiteFooter />
      {isSignedIn ? <BottomNavigation /> : null}
      <RouteChange />
      <OfflineGuard />
      {cameSignedIn ? <ReadyNotices /> : null}
    </div>
  );
}

const unknown = { authenticated: false as const, user: null };

const unknownUser = (error: unknown) => {
  if (error instanceof ApiFailure) return unknown;
  throw error;
};
