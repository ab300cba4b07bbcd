/** `npm run operator -- COMMAND`: installs and builds when needed, as `npm start` does, then runs the command. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { installDependencies } from "./install.mjs";
import { requireNode } from "./node-version.mjs";

requireNode();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
installDependencies(root);
const { buildWhenNeeded } = await import("./build.mjs");
await buildWhenNeeded(root);
// In a variable, because types are checked before anything is built.
const operator = "../build/operator.js";
await import(operator);
