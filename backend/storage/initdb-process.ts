/**
 * Creates a database cluster in the folder given as argument, then ends. A separate process, because initdb takes about 700 MB, which are
 * never returned to the system by a process that ran it.
 */
import { PGlite } from "@electric-sql/pglite";
import { durableStartParameters, SyncedNodeFilesystem } from "./synced-node-filesystem.ts";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("initdb-process needs the folder to fill.");
process.once("disconnect", () => process.exit(1));
const database = await PGlite.create({ fs: new SyncedNodeFilesystem(folder), startParams: durableStartParameters });
await database.close();
process.exit(0);
