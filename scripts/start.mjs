/** `npm start`: installs and builds when needed, then runs the server in this process. `--dev`: from the sources, reloading. */
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { installDependencies } from "./install.mjs";
import { requireNode } from "./node-version.mjs";

requireNode();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isDevelopment = process.argv.includes("--dev");
installDependencies(root, { withTests: isDevelopment });

if (isDevelopment) {
  // Not `node --watch`: it notices the file that Vite writes and deletes to read its own configuration, and restarts for ever.
  const child = spawn(
    process.execPath,
    ["node_modules/tsx/dist/cli.mjs", "watch", "--clear-screen=false", "server.ts"],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, NODE_ENV: "development" },
    },
  );
  process.on("SIGINT", () => child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("exit", (code) => process.exit(code ?? 0));
} else {
  const { buildWhenNeeded } = await import("./build.mjs");
  await buildWhenNeeded(root);
  process.env.NODE_ENV ??= "production";
  // In a variable, because types are checked before anything is built.
  const server = "../build/server.js";
  await import(server);
}
