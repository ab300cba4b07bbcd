import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import remixConfig from "./remix.config.js";
import { lightIcons } from "./scripts/light-icons.mjs";

declare module "@remix-run/server-runtime" {
  interface Future {
    v3_singleFetch: true;
  }
}

/** Loaded once it is needed, or by one or two pages alone. */
const ofFewPages =
  /\/app\/shell\/on-demand\/|\/(clean-text|custom-moments|highlight-definitions|sign-in-failures|sign-in-problem|signed-out-notice|confirm-page|back-button|further-parts|match-polling|clip-rules|step-link|use-reload|drag-handle|webhooks|token-scopes|automation-limits|bytes-text|text-limits|drawn-by-server|clip-link|uncovered-focus|hlae-steps)\.tsx?$/;

/** Home and pages with cards of clips; cards alone; forms; what shows clips that may still be in the making. A page has what it needs of them. */
const groups = {
  lists: /\/(clip-loop|loops-allowed|counters|use-near-viewport|dots)\.tsx?$/,
  cards: /\/(clip-card|listed-clip-video|group-labels)\.tsx?$/,
  polled: /\/(use-polled-clips|time-left)\.ts$/,
  forms: /\/(form-answers|render-settings)\.ts$/,
  making: /\/(clip-progress|clip-status|clip-video|clip-name|unlisted)\.tsx?$/,
};

/**
 * Where a module stands says in which file it comes: libraries in one, the shell and every folder `shared` in another, since one
 * file of small modules costs less than a file each (decision 083). The rest is Rollup's to divide.
 */
function chunkOf(id: string): string | undefined {
  if (id.includes("/node_modules/")) return "framework";
  // What plays a preview comes in one file: on a slow line a second one is a second wait.
  if (id.includes("/app/replay/viewer/")) return "viewer";
  // What asks for parts of it before, without the rest, beside the still that it plays over; and what both pages with such stills fold.
  if (/\/app\/(replay\/early-parts\.ts|replay\/shared\/highlight-still\.tsx|shell\/pieces\/unfold\.tsx)$/.test(id))
    return "early";
  if (id === preloadHelper) return "shared";
  if (ofFewPages.test(id)) return undefined;
  const group = Object.entries(groups).find(([, modules]) => modules.test(id));
  if (group) return group[0];
  return /\/(app\/(shell|api|\w+\/shared)|contract)\//.test(id) ? "shared" : undefined;
}

const futureOptions: Record<string, boolean | undefined> = { ...remixConfig.future };

const preloadHelper = "\0vite/preload-helper.js";

/** What pages import later needs nothing that they do not have: Vite's preloading of it would cost every page half a kilobyte. */
const bareImports: Plugin = {
  name: "bare-imports",
  enforce: "pre",
  load: (id) => (id === preloadHelper ? "export const __vitePreload = (load) => load();" : undefined),
};

/**
 * What Remix's code asks of a page that is never otherwise for ours: no link is prefetched (`prefetch` of a link does nothing), no
 * page is without a server, none is drawn by a server once it is in a browser, and no loader answers outside of single fetch.
 */
const knownAnswers: readonly [asked: RegExp, answer: string][] = [
  [/\bwindow\.__remixContext\.isSpaMode\b/g, "false"],
  [/(?<=if \(|return )isSpaMode\b/g, "false"],
  [/\busePrefetchBehavior\(prefetch, props\)/g, "[false, null, {}]"],
  [/\bshouldPrefetch && !isAbsolute\b/g, "false"],
  [/\bisPageLinkDescriptor\(link\)/g, "false"],
  [/(?<== )staticContext(?= \?)/g, "false"],
  [/!isStatic\b/g, "true"],
  [/\btypeof singleFetch === "function"/g, "true"],
  [/(?<=if \()needsRevalidation\b/g, "false"],
  [/\bcreateClientRoutesWithHMRRevalidationOptOut(?=;)/g, "undefined"],
  [/(?<=route\.id === "root" \? )RemixRootDefaultHydrateFallback\b/g, "undefined"],
];

/** Which of Remix's options are on is known when pages are built: what the others would do need not be loaded. 5 KB (gzip). */
const knownOptions: Plugin = {
  name: "known-options",
  transform: (code, id) =>
    id.includes("/@remix-run/react/dist/esm/")
      ? knownAnswers.reduce(
          (known, [asked, answer]) => known.replaceAll(asked, answer),
          code.replaceAll(/\b(?:\w+\.)*future\.(v3_\w+)/g, (used, name: string) =>
            name in futureOptions ? String(futureOptions[name]) : used,
          ),
        )
      : undefined,
};

/** Every page's list of all pages names these files: 42 bits tell the files of a build apart. */
const shortNames = { entryFileNames: "assets/[name]-[hash:7].js", chunkFileNames: "assets/[name]-[hash:7].js" };

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [bareImports, ...(isSsrBuild ? [] : [knownOptions]), tailwindcss(), remix(remixConfig)],
  build: {
    target: "es2022",
    // Pages name what they need in their heads; what is loaded on demand needs nothing else.
    modulePreload: false,
    // 3.5 KB (gzip) less to load than esbuild's output. Licences of what is bundled stand in NOTICE.
    minify: isSsrBuild ? false : "terser",
    terserOptions: { compress: { passes: 3, ecma: 2020 }, format: { comments: false } },
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: chunkOf, ...shortNames } },
  },
  // Modules: what a worker loads later is a file of its own.
  worker: { format: "es", plugins: () => [lightIcons()] },
  resolve: { alias: { "~": new URL("./app", import.meta.url).pathname } },
}));
