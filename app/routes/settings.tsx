import type { MetaFunction } from "@remix-run/node";
import { Outlet } from "@remix-run/react";
import { SettingsShell } from "../settings/settings-shell.tsx";
import { pageMeta } from "../shell/page-meta.ts";
import { productName } from "../shell/product-name.ts";

export const meta: MetaFunction = () => pageMeta({ title: `Settings - ${productName}`, noindex: true });

export default function Settings() {
  return (
    <SettingsShell>
      <Outlet />
    </SettingsShell>
  );
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
