/**
 * The very first start on an empty disk: somebody signs in, then files and rows are stored until the power is cut. Sends its
 * parent what was acknowledged. Argument: DATA_DIR.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startSession } from "../../backend/accounts/sessions.ts";
import { readConfig } from "../../backend/config.ts";
import { openServices } from "../../backend/open-services.ts";

export interface Acknowledged {
  /** Of the session that was started. */
  token?: string;
  /** Number of the file and the row that were stored. */
  stored?: number;
}

const [DATA_DIR = ""] = process.argv.slice(2);
const { services } = await openServices(readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR }));
const say = (acknowledged: Acknowledged) => process.send?.(acknowledged);
const { id } = await services.database
  .insertInto("users")
  .values({ steam_id: "76561199999900070", steam_name: "first" })
  .returning("id")
  .executeTakeFirstOrThrow();
say({ token: (await startSession(services, id)).token });
for (let stored = 0; ; stored++) {
  const path = join(services.scratchDirectory, `video-${stored}`);
  await writeFile(path, `video ${stored}`);
  await services.blobs.putFile(`clips/${stored}/video.mp4`, path, "video/mp4");
  await services.database
    .insertInto("settings")
    .values({ key: `stored ${stored}`, value: "x" })
    .execute();
  say({ stored });
}
