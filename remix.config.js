/** The one place for Remix options; vite.config.ts hands it to the Remix Vite plugin. */
/** @type {import('@remix-run/dev').VitePluginConfig} */
export default {
  appDirectory: "app",
  ignoredRouteFiles: ["**/.*", "**/*.test.{ts,tsx}"],
  serverModuleFormat: "esm",
  future: {
    v3_fetcherPersist: true,
    // Off: with it on, one unauthenticated request to /__manifest holds the server for a second (docs/decisions).
    v3_lazyRouteDiscovery: false,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
