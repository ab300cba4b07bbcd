/**
 * Makes a new database cluster in the folder given as argument, then ends. A process of its own because the memory that
 * initdb takes (some 700 MB) never comes back to a process that ran it.
 */
import { PGlite } from "@electric-sql/pglite";
import { durableStartParameters, SyncedNodeFilesystem } from "./synced-node-filesystem.ts";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("initdb-process needs the folder to fill.");
process.once("disconnect", () => process.exit(1));
const database = await PGlite.create({ fs: new SyncedNodeFilesystem(folder), startParams: durableStartParameters });
await database.close();
process.exit(0);
