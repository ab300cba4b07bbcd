import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import remixConfig from "./remix.config.js";

declare module "@remix-run/server-runtime" {
  interface Future {
    v3_singleFetch: true;
  }
}

/**
 * Where a module stands says in which file it comes: libraries in one, the shell and every folder `shared` in another, since one
 * file of small modules costs less than a file each (decision 083). The rest is Rollup's to divide.
 */
function chunkOf(id: string): string | undefined {
  if (id.includes("/node_modules/")) return "framework";
  // Loaded after a press only.
  if (/\/app\/shell\/pieces\/confirm-dialog\./.test(id)) return undefined;
  return /\/(app\/(shell|api|\w+\/shared)|contract)\//.test(id) ? "shared" : undefined;
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), remix(remixConfig)],
  build: {
    target: "es2022",
    // 3.5 KB (gzip) less to load than esbuild's output. Licences of what is bundled stand in NOTICE.
    minify: isSsrBuild ? false : "terser",
    terserOptions: { format: { comments: false } },
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: chunkOf } },
  },
  // Modules: what a worker loads later is a file of its own.
  worker: { format: "es" },
  resolve: { alias: { "~": new URL("./app", import.meta.url).pathname } },
}));
