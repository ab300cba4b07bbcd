#!/usr/bin/env node
/** `clutchcast COMMAND`: installs and builds when needed, as `npm start` does, then runs the command in this process. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { installDependencies } from "./install.mjs";
import { requireNode } from "./node-version.mjs";

requireNode();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
// npm runs scripts in the folder of package.json, but relative paths are relative to where the command was entered.
const { npm_lifecycle_event: script, INIT_CWD: calledIn } = process.env;
if (script === "clutchcast" && calledIn && process.cwd() === root) process.chdir(calledIn);
// Standard output is the command's, and another program may read it.
const { log } = console;
console.log = console.error;
installDependencies(root);
const { buildWhenNeeded } = await import("./build.mjs");
await buildWhenNeeded(root);
console.log = log;
// In a variable, because types are checked before anything is built.
const program = "../build/clutchcast.js";
await import(program);
