/** Installs the dependencies as `npm test` does, and nothing else. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { installDependencies } from "./install.mjs";
import { requireNode } from "./node-version.mjs";

requireNode();
installDependencies(dirname(dirname(fileURLToPath(import.meta.url))), { withTests: true });
