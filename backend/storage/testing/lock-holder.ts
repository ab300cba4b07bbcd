/** Holds the lock of a data directory until it is killed. Arguments: the folder; "file" for the lock by file. */
import { lockByFile, lockDataDirectory } from "../data-directory-lock.ts";

const [folder = "", way] = process.argv.slice(2);
await (way === "file" ? lockByFile(folder) : lockDataDirectory(folder));
process.send?.("locked");
setInterval(() => {}, 60_000);
