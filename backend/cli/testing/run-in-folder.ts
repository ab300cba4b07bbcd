/** A run of the command that works until it is ended: in the folder, and with the beginning of a name, that its words say. */
import { inTemporaryFolder } from "../temporary-folder.ts";

const [parent = "", beginning = ""] = process.argv.slice(2);
process.on("SIGTERM", () => process.exit());
await inTemporaryFolder(parent, beginning, async (folder) => {
  process.send?.(folder);
  await new Promise(() => setInterval(() => {}, 60_000));
});
